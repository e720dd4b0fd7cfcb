// In the language and the light that were chosen in this browser; and on, as soon as the server answers.

const EVERY = 3000;
const mains = [...document.querySelectorAll("main")];

function liked() {
  try {
    return JSON.parse(localStorage.getItem("ubongo") ?? "{}");
  } catch {
    return {};
  }
}

const { language, theme } = liked();
const wanted = [language, ...navigator.languages.map((name) => name.slice(0, 2)), "en"];
const spoken = wanted.find((one) => mains.some((main) => main.lang === one));
for (const main of mains) main.hidden = main.lang !== spoken;
document.documentElement.lang = spoken;
document.documentElement.dataset.theme = theme ?? "system";

async function look() {
  if (document.hidden || !navigator.onLine) return;
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

for (const button of document.querySelectorAll("button")) button.addEventListener("click", () => location.reload());
addEventListener("online", look);
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
