// A small chart over time on a canvas: bars or a line with its range, and hatched where readings are missing. The
// pointer or the arrow keys move a cursor, whose reading is written beside the title.

import { clock, day, figure } from "/words.js";

const PAD = { left: 46, right: 8, top: 8, bottom: 22 };
const STEPS_S = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 21600, 43200, 86400, 172800];

export class Chart {
  constructor(canvas, output, options) {
    Object.assign(this, { canvas, output, options, series: null, cursor: null });
    canvas.addEventListener("pointermove", (event) => this.point(event.offsetX));
    canvas.addEventListener("pointerleave", () => this.select(null));
    canvas.addEventListener("blur", () => this.select(null));
    canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  show(series, gaps) {
    this.series = series;
    this.gaps = gaps;
    if (this.cursor !== null && this.cursor >= series.points.length) this.cursor = null;
    this.draw();
    this.say();
  }

  x(time) {
    const { from_ms, to_ms } = this.series;
    return PAD.left + ((time - from_ms) / (to_ms - from_ms)) * (this.width - PAD.left - PAD.right);
  }

  point(offset) {
    if (!this.series?.points.length) return;
    let best = 0;
    this.series.points.forEach((point, index) => {
      if (Math.abs(this.x(point.time_ms) - offset) < Math.abs(this.x(this.series.points[best].time_ms) - offset))
        best = index;
    });
    this.select(best);
  }

  key(event) {
    const last = (this.series?.points.length ?? 0) - 1;
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (last < 0 || (step === undefined && event.key !== "Home" && event.key !== "End")) return;
    event.preventDefault();
    const from = this.cursor ?? last + (step < 0 ? 1 : 0);
    const to = event.key === "Home" ? 0 : event.key === "End" ? last : from + step;
    this.select(Math.min(last, Math.max(0, to)));
  }

  select(index) {
    this.cursor = index;
    this.draw();
    this.say();
  }

  say() {
    const points = this.series?.points ?? [];
    const values = points.map(this.options.value).filter((value) => value !== null);
    this.output.textContent =
      this.cursor === null
        ? this.options.summary(points)
        : `${clock(points[this.cursor].time_ms, true)}  ${this.options.text(points[this.cursor])}`;
    const label = values.length
      ? `from ${figure(Math.min(...values), 2)} to ${figure(Math.max(...values), 2)} ${this.options.unit}`
      : "no readings";
    this.canvas.setAttribute("aria-label", `${this.options.name}: ${label}. Arrow keys read single values.`);
  }

  draw() {
    const { canvas, series, options } = this;
    const ratio = devicePixelRatio || 1;
    this.width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (!series || !this.width) return;
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    const bottom = height - PAD.bottom;
    const [low, high] = this.bounds();
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - PAD.top);

    pen.font = `12px ${style.fontFamily}`;
    this.grid(pen, colour, low, high, y, bottom);
    pen.save();
    pen.beginPath();
    pen.rect(PAD.left, 0, this.width - PAD.left - PAD.right, bottom);
    pen.clip();
    this.missing(pen, colour("--missing"), bottom);
    pen.fillStyle = pen.strokeStyle = colour(options.colour);
    if (options.bars) this.bars(pen, y, bottom);
    else this.line(pen, y);
    if (this.cursor !== null) {
      const at = Math.round(this.x(series.points[this.cursor].time_ms)) + 0.5;
      pen.strokeStyle = colour("--text");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(at, PAD.top);
      pen.lineTo(at, bottom);
      pen.stroke();
    }
    pen.restore();
  }

  bounds() {
    const { points } = this.series;
    const { value, range, bars, least } = this.options;
    const values = points
      .flatMap((point) => (range ? range(point) : [value(point)]))
      .filter((number) => number !== null);
    let low = bars ? 0 : Math.min(...values);
    let high = Math.max(...values);
    if (!values.length) [low, high] = [0, 1];
    if (high - low < least) {
      const middle = bars ? least / 2 : (high + low) / 2;
      [low, high] = [middle - least / 2, middle + least / 2];
    }
    const room = (high - low) * 0.08;
    return [bars ? 0 : low - room, high + room];
  }

  grid(pen, colour, low, high, y, bottom) {
    const { from_ms, to_ms } = this.series;
    pen.lineWidth = 1;
    pen.strokeStyle = colour("--line");
    pen.fillStyle = colour("--muted");
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const step = nice((high - low) / 3);
    const digits = Math.max(0, -Math.floor(Math.log10(step)));
    for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
      const at = Math.round(y(value)) + 0.5;
      pen.beginPath();
      pen.moveTo(PAD.left, at);
      pen.lineTo(this.width - PAD.right, at);
      pen.stroke();
      pen.fillText(figure(value, digits), PAD.left - 6, at);
    }
    pen.textAlign = "center";
    const room = Math.max(2, Math.floor((this.width - PAD.left) / 90));
    const span_s = (to_ms - from_ms) / 1000;
    const step_ms = (STEPS_S.find((seconds) => span_s / seconds <= room) ?? 604800) * 1000;
    const shift = new Date(from_ms).getTimezoneOffset() * 60000;
    for (let time = Math.ceil((from_ms - shift) / step_ms) * step_ms + shift; time < to_ms; time += step_ms) {
      const at = this.x(time);
      if (at > PAD.left + 20 && at < this.width - 24)
        pen.fillText(step_ms >= 86400000 ? day(time) : clock(time, step_ms < 60000), at, bottom + 13);
    }
  }

  missing(pen, colour, bottom) {
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    for (const [from, to] of this.gaps) {
      const left = Math.max(PAD.left, this.x(from));
      const right = Math.min(this.width - PAD.right, Math.max(this.x(to), left + 2));
      pen.save();
      pen.beginPath();
      pen.rect(left, PAD.top, right - left, bottom - PAD.top);
      pen.clip();
      pen.beginPath();
      for (let at = left - bottom; at < right; at += 7) {
        pen.moveTo(at, bottom);
        pen.lineTo(at + bottom, 0);
      }
      pen.stroke();
      pen.restore();
    }
  }

  bars(pen, y, bottom) {
    const { points, bucket_ms } = this.series;
    const wide = Math.max(2, Math.min(24, this.x(this.series.from_ms + bucket_ms) - PAD.left - 1));
    for (const point of points) {
      const value = this.options.value(point);
      if (value) pen.fillRect(this.x(point.time_ms) - wide / 2, y(value), wide, bottom - y(value));
    }
  }

  line(pen, y) {
    const { points } = this.series;
    const { value, range } = this.options;
    const broken = new Set(this.gaps.map(([, to]) => to));
    pen.lineWidth = 1.8;
    pen.lineJoin = "round";
    pen.beginPath();
    let before = null;
    for (const point of points) {
      const number = value(point);
      if (number === null) continue;
      const [at, level] = [this.x(point.time_ms), y(number)];
      if (before === null || broken.has(point.time_ms)) pen.moveTo(at, level);
      else pen.lineTo(at, level);
      pen.rect(at - 0.9, level - 0.9, 1.8, 1.8);
      pen.moveTo(at, level);
      before = point;
    }
    pen.stroke();
    if (!range) return;
    pen.globalAlpha = 0.25;
    for (const point of points) {
      const [least, most] = range(point);
      if (least !== null) pen.fillRect(this.x(point.time_ms) - 1, y(most), 2, y(least) - y(most));
    }
    pen.globalAlpha = 1;
  }
}

function nice(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= step);
}
