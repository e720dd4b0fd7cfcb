// The service worker. Only if loading a page fails for want of a connection, the browser gets a page of ours that says so.
// All other requests go to the server as if there were no worker, so no browser runs outdated code because of it.

// The name is a hash of the files: a test fails when they have changed.
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
