// Gateways, what is to be seen to, and what was refused.

import { ago, at, button, clockOff, fill, make, moment, now, send } from "/words.js";

const GATEWAY_CLOCK_OFF_MS = 5000;
const GATEWAY_SILENT_MS = 60000;
const DOUBLE_TOLD_MS = 86400000;

const isHeard = (gateway) => gateway.last_ms !== null && now() - gateway.last_ms < GATEWAY_SILENT_MS;

function gatewayWord(gateway) {
  if (gateway.revoked) return "out of service";
  if (isHeard(gateway)) return gateway.state ?? "connected";
  return gateway.last_ms === null ? "never heard" : "silent";
}

/** Those that are silent first, then the others, then those that are out of service; each by name, as they come. */
export function showGateways(unsorted) {
  const place = (gateway) => (gateway.revoked ? 2 : isHeard(gateway) ? 1 : 0);
  const gateways = [...unsorted].sort((a, b) => place(a) - place(b));
  fill(
    "gateways",
    4,
    "No gateway yet.",
    gateways.map((gateway) => {
      const word = gatewayWord(gateway);
      const clock = clockOff(gateway.clock_ahead_ms, GATEWAY_CLOCK_OFF_MS);
      const doubled = gateway.double_ms !== null && now() - gateway.double_ms < DOUBLE_TOLD_MS;
      const warnings = [
        doubled ? `two machines use its certificate (${moment(gateway.double_ms)})` : "",
        clock && `its clock is ${clock}`,
      ].filter(Boolean);
      const isBad = warnings.length || (!gateway.revoked && !isHeard(gateway));
      const state = make("td", { className: isBad ? "low" : "", textContent: [word, ...warnings].join("; ") });
      const name = make("td", { textContent: gateway.name, translate: false });
      return [name, ago(gateway.last_ms), state, String(gateway.waiting ?? "–")];
    }),
  );
}

export function showNotices(notices, mayWrite) {
  fill(
    "notices",
    4,
    "Nothing to be seen to.",
    notices.map((notice) => [
      notice.ended_ms !== null
        ? `over since ${moment(notice.ended_ms)}`
        : notice.acknowledged_ms !== null
          ? `seen ${moment(notice.acknowledged_ms)}`
          : mayWrite
            ? make("td", {}, acknowledgeButton(notice))
            : "not seen yet",
      notice.headline,
      moment(notice.since_ms),
      notice.detail,
    ]),
  );
}

function acknowledgeButton(notice) {
  const element = button("Seen", async () => {
    element.disabled = true;
    await send(`/api/notices/${notice.number}/acknowledge`).catch(() => {
      element.disabled = false;
    });
  });
  element.setAttribute("aria-label", `Seen: ${notice.headline}`);
  return element;
}

export function showRefusals(counts, latest) {
  const sorted = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  at("reasons").replaceChildren(...sorted.map(([reason, count]) => make("li", { textContent: `${reason}: ${count}` })));
  fill(
    "refusals",
    5,
    "Nothing was refused.",
    latest.map((refusal) => [
      moment(refusal.stored_ms),
      refusal.reason,
      make("td", { textContent: refusal.gateway, translate: false }),
      refusal.device === null ? "–" : String(refusal.device),
      make("td", { className: "bytes", textContent: refusal.bytes, title: refusal.bytes }),
    ]),
  );
}
