// A PCSF decoder in JavaScript, held to level `verdict`: a capsule on standard input,
// exit code 0 if it is valid, 1 if not. It shares nothing with the Python package.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";

const TEXT = "(?! )[ -{}~]+(?<! )";
const TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\dZ";
const row = (...parts) => parts.join(" \\| ");
const LAYERS = [
  ["L1:SKELETON", row("(?:CHOICE|CONSTRAINT|DISCOVERY|PIVOT|OUTCOME)", TEXT, TEXT), 12],
  ["L2:NEGATIVE", row(TEXT, TEXT, TEXT), 8],
  ["L3:INTERNAL", `(?:UNCERTAINTY|DIRECTION|INTUITION|UNRESOLVED): ${TEXT}`, 6],
  ["L4:RELATION", `[A-Za-z_]+: ${TEXT}`, 5],
  ["L5:LOOPS", row("(?:PROMISE|DEFERRED_QUESTION|INCOMPLETE_TASK|HYPOTHESIS_UNTESTED)", TEXT, "(?:HIGH|MED|LOW)"), 8],
];
const layers = (gap) => LAYERS.map(([head, entry, cap]) => `${head}\n(?:${entry}\n){0,${cap}}${gap}`).join("");
const capsule = (gap) =>
  new RegExp(
    `^===PCSF:v1(?:\\.[12])?===\nMETA: ${row(TEXT, TEXT, "(?:SURFACE|WORKING|DEEP)", `(?<now>${TIME})`)}\n` +
      `(?:CHAIN: hops=\\d+ origin=(?<origin>${TIME})\n)?` +
      `(?<stamp>INTEGRITY: crc32=(?<crc>[0-9a-f]{8}) chars=(?<chars>\\d+)\n)?\n` +
      `${layers(gap)}SEED: (?<seed>${TEXT})\n===END===\n?$`,
  );

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function exists(time) {
  const [year, month, day, hour, minute] = time.match(/\d+/g).map(Number);
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return year > 0 && day > 0 && day <= DAYS[month - 1] + leap && hour < 24 && minute < 60;
}

const SHORT = /(?:^|[^A-Za-z0-9])(?:e\.g|i\.e|etc|vs|cf|approx|Dr|Mr|Mrs|Ms|Prof|No|Fig|St)\.$/;

function sentences(seed) {
  const marks = [...seed.matchAll(/(?<![.!?])[.!?]+(?![.!?])(?=$| [A-Z0-9'"(])/g)];
  return marks.filter((mark) => mark[0] !== "." || !SHORT.test(seed.slice(0, mark.index + 1))).length;
}

export function valid(text) {
  if (text.length > 1200) return false;
  const found = (capsule("\n").exec(text) ?? capsule("").exec(text))?.groups;
  if (!found) return false;
  const { now, origin, stamp, crc, chars, seed } = found;
  if (!exists(now) || (origin && !exists(origin)) || sentences(seed) > 1) return false;
  if (!stamp) return true;
  const bare = Buffer.from(text.replace(stamp, ""), "latin1");
  return crc32(bare) === parseInt(crc, 16) && BigInt(chars) === BigInt(text.length);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exit(valid(readFileSync(0).toString("latin1")) ? 0 : 1);
}
