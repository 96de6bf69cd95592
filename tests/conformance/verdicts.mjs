// node verdicts.mjs DECODER.mjs...: the verdicts of decoders on many capsules, in one process.
// Standard input is a JSON list of capsules in Base64, standard output an object: for each
// decoder a string with a letter for each capsule, v: valid, i: invalid, x: it threw.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const capsules = JSON.parse(readFileSync(0)).map((one) => Buffer.from(one, "base64").toString("latin1"));
const verdicts = {};
for (const path of process.argv.slice(2)) {
  const { valid } = await import(pathToFileURL(path));
  const verdict = (capsule) => {
    try {
      return valid(capsule) ? "v" : "i";
    } catch {
      return "x";
    }
  };
  verdicts[path] = capsules.map(verdict).join("");
}
process.stdout.write(JSON.stringify(verdicts));
