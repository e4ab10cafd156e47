// Where the sensors stand, on a canvas. Tiles come from the server's own folder if there are any; without them the map
// has lines of latitude and longitude. A scale is always there. Nothing is asked of another host.

import { at, figure } from "/words.js";

const TILE = 256;
const LEAST_ZOOM = 1;
const MOST_ZOOM = 19;
// The equator (WGS 84), by which a scale is drawn.
const EQUATOR_M = 40075016.686;
// Beyond this latitude the projection (Mercator's, as tiles have it) has no end.
const MOST_LATITUDE = 85.0511;
const GRID_STEPS = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
const GRID_PX = 90;
const SCALE_PX = 130;
const TOUCH_PX = 16;
// By the letters of the server (standing.rs): colour, radius, and what is drawn last lies on top.
const LOOKS = {
  5: ["--line", 4],
  4: ["--muted", 4],
  0: ["--good", 5],
  1: ["--warn", 6],
  2: ["--warn", 6],
  3: ["--warn", 6],
  6: ["--rank0", 9],
  7: ["--rank1", 9],
  8: ["--alarm", 9],
  9: ["--alarm", 9],
};
const DRAWN_IN_ORDER = ["5", "4", "0", "1", "2", "3", "6", "7", "8", "9"];
const DEGREE = 100000;

const worldX = (longitude) => (longitude + 180) / 360;
const worldY = (latitude) => {
  const bounded = Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude));
  return 0.5 - Math.asinh(Math.tan((bounded * Math.PI) / 180)) / (2 * Math.PI);
};
const longitudeOf = (x) => x * 360 - 180;
const latitudeOf = (y) => (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;

export class SiteMap {
  constructor(canvas, choose) {
    Object.assign(this, { canvas, choose, spots: new Map(), names: new Map(), chosen: null, picks: null });
    Object.assign(this, { x: worldX(-52), y: worldY(-14), zoom: 3, isMoved: false, tiles: new Map(), zooms: null });
    this.touches = new Map();
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.release(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => (this.isMoved ? this.draw() : this.fit())).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** The server's differences (view.rs): steps from one value to the next. */
  change({ ids, latitudes, longitudes, letters, gone }) {
    let [id, latitude, longitude] = [0, 0, 0];
    ids.forEach((step, place) => {
      id += step;
      latitude += latitudes[place];
      longitude += longitudes[place];
      const spot = { id, x: worldX(longitude / DEGREE), y: worldY(latitude / DEGREE), letter: letters[place] };
      this.spots.set(id, spot);
    });
    for (const one of gone) this.spots.delete(one);
    this.canvas.dataset.spots = this.spots.size;
    if (this.isMoved) this.draw();
    else this.fit();
  }

  forget() {
    this.spots.clear();
  }

  /** `names`: of the sensors that have a card. */
  mark(chosen, names, tiles) {
    Object.assign(this, { chosen, names });
    this.zooms = tiles?.zooms ?? null;
    at("attribution").textContent = tiles?.attribution ?? "";
    this.draw();
  }

  /** The next touch says where something stands. */
  pick(take) {
    this.picks = take;
    this.canvas.classList.toggle("picks", take !== null);
  }

  /** All sensors on the canvas. */
  fit() {
    this.isMoved = false;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.spots.size && width && height) {
      const [xs, ys] = [[...this.spots.values()].map(({ x }) => x), [...this.spots.values()].map(({ y }) => y)];
      const least = (values) => values.reduce((a, b) => Math.min(a, b));
      const most = (values) => values.reduce((a, b) => Math.max(a, b));
      const [wide, high] = [most(xs) - least(xs), most(ys) - least(ys)];
      this.x = least(xs) + wide / 2;
      this.y = least(ys) + high / 2;
      const room = (pixels, share) => Math.log2(Math.max(pixels - 60, 40) / TILE / Math.max(share, 1e-9));
      this.zoom = Math.min(15, Math.max(LEAST_ZOOM, Math.min(room(width, wide), room(height, high))));
    }
    this.draw();
  }

  size() {
    return TILE * 2 ** this.zoom;
  }

  toWorld(px, py) {
    const size = this.size();
    return [
      this.x + (px - this.canvas.clientWidth / 2) / size,
      this.y + (py - this.canvas.clientHeight / 2) / size,
    ];
  }

  toCanvas(x, y) {
    const size = this.size();
    return [(x - this.x) * size + this.canvas.clientWidth / 2, (y - this.y) * size + this.canvas.clientHeight / 2];
  }

  move(dx, dy) {
    this.isMoved = true;
    this.x = Math.min(1, Math.max(0, this.x - dx / this.size()));
    this.y = Math.min(1, Math.max(0, this.y - dy / this.size()));
    this.draw();
  }

  /** Around a point of the canvas, which stays where it is. */
  zoomBy(steps, px = this.canvas.clientWidth / 2, py = this.canvas.clientHeight / 2) {
    const [x, y] = this.toWorld(px, py);
    this.zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.zoom + steps));
    const [newX, newY] = this.toWorld(px, py);
    this.x += x - newX;
    this.y += y - newY;
    this.isMoved = true;
    this.draw();
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.touches.set(event.pointerId, [event.offsetX, event.offsetY]);
    this.pressed = this.touches.size === 1 ? [event.offsetX, event.offsetY] : null;
  }

  drag(event) {
    const before = this.touches.get(event.pointerId);
    if (!before) return;
    const now = [event.offsetX, event.offsetY];
    const other = [...this.touches].find(([id]) => id !== event.pointerId)?.[1];
    this.touches.set(event.pointerId, now);
    if (other) {
      const far = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
      if (far(before) > 0 && far(now) > 0) this.zoomBy(Math.log2(far(now) / far(before)), ...other);
      return;
    }
    if (this.pressed && Math.hypot(now[0] - this.pressed[0], now[1] - this.pressed[1]) < 5) return;
    this.pressed = null;
    this.move(now[0] - before[0], now[1] - before[1]);
  }

  release(event) {
    this.touches.delete(event.pointerId);
    if (this.pressed && event.type === "pointerup") this.touch(...this.pressed);
    this.pressed = null;
  }

  touch(px, py) {
    if (this.picks) {
      const [x, y] = this.toWorld(px, py);
      this.picks(latitudeOf(y).toFixed(5), longitudeOf(x).toFixed(5));
      this.pick(null);
      return;
    }
    let [best, least] = [null, TOUCH_PX];
    for (const spot of this.spots.values()) {
      const [x, y] = this.toCanvas(spot.x, spot.y);
      const far = Math.hypot(x - px, y - py);
      // The more urgent of two at one place.
      if (far < least || (best && far === least && spot.letter > best.letter)) [best, least] = [spot, far];
    }
    if (best) this.choose(best.id, false);
  }

  wheel(event) {
    event.preventDefault();
    this.zoomBy(-Math.sign(event.deltaY) * 0.5, event.offsetX, event.offsetY);
  }

  key(event) {
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (step) this.move(...step);
    else if (event.key === "+" || event.key === "=") this.zoomBy(1);
    else if (event.key === "-") this.zoomBy(-1);
    else return;
    event.preventDefault();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const dense = devicePixelRatio || 1;
    this.canvas.width = width * dense;
    this.canvas.height = height * dense;
    const pen = this.canvas.getContext("2d");
    pen.scale(dense, dense);
    this.style = getComputedStyle(this.canvas);
    pen.fillStyle = this.colour("--ground");
    pen.fillRect(0, 0, width, height);
    pen.font = "12px system-ui, sans-serif";
    if (this.zooms) this.drawTiles(pen, width, height);
    else this.drawGrid(pen, width, height);
    this.drawSpots(pen, width, height);
    this.drawScale(pen, height);
  }

  colour(name) {
    return this.style.getPropertyValue(name);
  }

  drawTiles(pen, width, height) {
    const [least, most] = this.zooms;
    const zoom = Math.min(most, Math.max(least, Math.round(this.zoom)));
    const count = 2 ** zoom;
    const [left, top] = this.toWorld(0, 0);
    const [right, bottom] = this.toWorld(width, height);
    const range = (from, to) => [Math.max(0, Math.floor(from * count)), Math.min(count - 1, Math.floor(to * count))];
    const [firstX, lastX] = range(left, right);
    const [firstY, lastY] = range(top, bottom);
    for (let x = firstX; x <= lastX; x++)
      for (let y = firstY; y <= lastY; y++) {
        const image = this.tile(`/tiles/${zoom}/${x}/${y}`);
        if (!image.complete || !image.naturalWidth) continue;
        const [px, py] = this.toCanvas(x / count, y / count);
        const side = this.size() / count;
        pen.drawImage(image, px, py, side + 0.5, side + 0.5);
      }
  }

  tile(path) {
    let image = this.tiles.get(path);
    if (!image) {
      if (this.tiles.size > 500) this.tiles.clear();
      image = new Image();
      image.onload = () => this.draw();
      image.src = path;
      this.tiles.set(path, image);
    }
    return image;
  }

  drawGrid(pen, width, height) {
    const [left, top] = this.toWorld(0, 0);
    const [right, bottom] = this.toWorld(width, height);
    const [west, east, north, south] = [longitudeOf(left), longitudeOf(right), latitudeOf(top), latitudeOf(bottom)];
    const step = GRID_STEPS.findLast((degrees) => (degrees / (east - west)) * width >= GRID_PX) ?? GRID_STEPS[0];
    const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    pen.strokeStyle = this.colour("--line");
    pen.fillStyle = this.colour("--muted");
    pen.lineWidth = 1;
    const line = (fromX, fromY, toX, toY) => {
      pen.beginPath();
      pen.moveTo(fromX, fromY);
      pen.lineTo(toX, toY);
      pen.stroke();
    };
    for (let place = Math.ceil(west / step); place * step <= east; place++) {
      const [px] = this.toCanvas(worldX(place * step), this.y);
      line(px, 0, px, height);
      pen.fillText(`${figure(place * step, digits)}°`, px + 3, 12);
    }
    for (let place = Math.ceil(south / step); place * step <= north; place++) {
      const [, py] = this.toCanvas(this.x, worldY(place * step));
      line(0, py, width, py);
      if (py > 24) pen.fillText(`${figure(place * step, digits)}°`, 3, py - 3);
    }
  }

  drawSpots(pen, width, height) {
    const byLetter = new Map(DRAWN_IN_ORDER.map((letter) => [letter, []]));
    for (const spot of this.spots.values()) {
      const [x, y] = this.toCanvas(spot.x, spot.y);
      if (x > -20 && y > -20 && x < width + 20 && y < height + 20) byLetter.get(spot.letter)?.push([x, y, spot.id]);
    }
    for (const [letter, places] of byLetter) {
      const [colour, radius] = LOOKS[letter];
      pen.fillStyle = this.colour(colour);
      pen.strokeStyle = this.colour("--surface");
      pen.lineWidth = 1.5;
      for (const [x, y] of places) {
        pen.beginPath();
        // Silent ones are squares: colour is not all that tells.
        if (letter === "3") pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        else pen.arc(x, y, radius, 0, 2 * Math.PI);
        pen.fill();
        pen.stroke();
      }
    }
    this.drawNames(pen, [...byLetter.values()].flat().reverse());
    const spot = this.spots.get(this.chosen);
    if (!spot) return;
    pen.beginPath();
    pen.strokeStyle = this.colour("--focus");
    pen.arc(...this.toCanvas(spot.x, spot.y), 13, 0, 2 * Math.PI);
    pen.stroke();
  }

  /** Of the sensors that have a card, the chosen one's first and the most urgent before others, where there is room. */
  drawNames(pen, places) {
    const isChosen = ([, , id]) => Number(id === this.chosen);
    const written = [];
    pen.lineWidth = 3;
    pen.strokeStyle = this.colour("--surface");
    pen.fillStyle = this.colour("--text");
    for (const [x, y, id] of [...places].sort((a, b) => isChosen(b) - isChosen(a))) {
      const name = this.names.get(id);
      if (!name) continue;
      const [left, right] = [x + 11, x + 11 + pen.measureText(name).width];
      if (written.some(([l, r, t]) => left < r && right > l && Math.abs(y - t) < 14)) continue;
      written.push([left, right, y]);
      pen.strokeText(name, left, y + 4);
      pen.fillText(name, left, y + 4);
    }
  }

  drawScale(pen, height) {
    const metres = (EQUATOR_M * Math.cos((latitudeOf(this.y) * Math.PI) / 180)) / this.size();
    const most = metres * SCALE_PX;
    const ten = 10 ** Math.floor(Math.log10(most));
    const length = [5, 2, 1].map((digit) => digit * ten).find((whole) => whole <= most) ?? ten;
    const [pixels, foot] = [length / metres, height - 12];
    const text = length >= 1000 ? `${length / 1000} km` : `${length} m`;
    this.canvas.dataset.scale = text;
    pen.fillStyle = this.colour("--surface");
    pen.fillRect(8, foot - 20, pixels + 12, 28);
    pen.strokeStyle = this.colour("--text");
    pen.fillStyle = this.colour("--text");
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(14, foot - 5);
    pen.lineTo(14, foot);
    pen.lineTo(14 + pixels, foot);
    pen.lineTo(14 + pixels, foot - 5);
    pen.stroke();
    pen.fillText(text, 18, foot - 6);
  }
}
