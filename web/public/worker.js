// Without a line to the server a browser has nothing to show when a page is opened or loaded anew: then, and only then, it
// gets a page of ours that says so. Whatever else is asked for goes its way as if there were no worker, so nobody ever
// runs old code by it.

// Named by what is in the files: a test says so when they have changed.
const KEPT = "offline-304f8c690631";
const FILES = ["/offline.html", "/offline.css", "/offline.js", "/favicon.svg"];

async function take() {
  const kept = await caches.open(KEPT);
  await kept.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await skipWaiting();
}

async function forget() {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
}

async function answered(request, instead) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(instead)) ?? Response.error();
  }
}

addEventListener("install", (event) => event.waitUntil(take()));
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.mode === "navigate") event.respondWith(answered(event.request, "/offline.html"));
  else if (FILES.includes(pathname)) event.respondWith(answered(event.request, pathname));
});
