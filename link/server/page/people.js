// The users of the page, for administrators; and everybody's own password.

import { ago, at, button, fill, make, moment, refused, send } from "/words.js";

const ROLES = [
  ["viewer", "sees everything"],
  ["operator", "sees, writes and takes note"],
  ["administrator", "manages the users too"],
];
const OUTCOMES = { in: "logged in", wrong: "wrong name or password", waiting: "refused: too many attempts" };

const say = (text) => {
  at("people-said").textContent = text;
};

function roleChoice(role) {
  const choice = make("select", { name: "role" });
  for (const [value, textContent] of ROLES)
    choice.append(make("option", { value, textContent, selected: value === role }));
  choice.setAttribute("aria-label", "May do");
  return choice;
}

async function change(path, fields, done) {
  try {
    const text = await send(path, fields);
    say(done(text));
  } catch (error) {
    say(error.message);
  }
  await load();
}

const told = (name) => (text) => `The password of ${name}, shown this once: ${JSON.parse(text).password}`;

/** Asks once more before it removes. */
function removeButton(name) {
  const element = button(
    "Remove",
    () => {
      if (element.dataset.asked) return change("/api/people/remove", { name }, () => `${name} is removed.`);
      element.dataset.asked = "yes";
      element.textContent = "Really remove?";
    },
    "small plain",
  );
  return element;
}

async function load() {
  const answer = await fetch("/api/people");
  if (!answer.ok) return refused(answer);
  const { accounts, logins } = await answer.json();
  fill(
    "accounts",
    4,
    "No user yet.",
    accounts.map(({ name, role, last_ms }) => {
      const choice = roleChoice(role);
      choice.addEventListener("change", () =>
        change("/api/people/role", { name, role: choice.value }, () => `${name} has another role now.`),
      );
      const reset = () => change("/api/people/password", { name }, told(name));
      return [
        make("td", { textContent: name, translate: false }),
        make("td", {}, choice),
        ago(last_ms),
        make("td", {}, button("New password", reset, "small plain"), " ", removeButton(name)),
      ];
    }),
  );
  fill(
    "logins",
    4,
    "Nobody has logged in yet.",
    logins.map(({ time_ms, account, address, outcome }) => [
      moment(time_ms),
      make("td", { textContent: account, translate: false }),
      address,
      make("td", { className: outcome === "in" ? "" : "low", textContent: OUTCOMES[outcome] }),
    ]),
  );
}

export function showUser(user) {
  at("user").textContent = user.name;
  at("own-password").elements.username.value = user.name;
  at("people").hidden = user.role !== "administrator";
}

export function setUpPeople() {
  at("people").addEventListener("toggle", () => at("people").open && load());
  const form = at("add-user");
  form.elements.name.after(roleChoice("viewer"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [name, role] = [form.elements.name.value.trim(), form.elements.role.value];
    await change("/api/people", { name, role }, told(name));
    form.elements.name.value = "";
  });
  const own = at("own-password");
  own.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await send("/api/own-password", { old: own.elements.old.value, new: own.elements.new.value });
      // It ended every session of this user, this one too.
      location.assign("/login");
    } catch (error) {
      at("own-said").textContent = error.message;
    }
  });
}
