import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { checkPay } from '../pay-check/check.ts';
import { readPins } from '../pay-check/pins.ts';

export const PAY_USAGE = [
  '       npm run florin -- pay check URL [--sri FILE] [--kids KID,…]',
  '           checks the files that a pay origin serves',
  '           --sri   a stored copy of /v1/sri.json to compare with',
  '           --kids  keys of "vault keys": the form at URL must seal cards for one of them',
].join('\n');

/**
 * Checks the files that a running pay origin serves, and prints each difference. `--sri` names a stored copy of
 * `/v1/sri.json` to compare with, `--kids` the sealing keys of the vault. Resolves with the exit code: 1 for any difference.
 */
export async function pay(words: string[], print: (sentence: string) => void): Promise<number> {
  const { address, sri, kids } = parse(words);
  const baseline = sri === undefined ? undefined : readPins({ body: readStored(sri) });
  const checkedFiles = await checkPay(address, baseline, kids);
  const lines = checkedFiles.flatMap(({ subject, differences }) =>
    differences.map((difference) => `${subject}: ${difference}`),
  );
  for (const line of lines) print(line);
  if (lines.length === 0) print(`${checkedFiles.length} checks passed.`);
  return lines.length === 0 ? 0 : 1;
}

function parse(words: string[]): {
  readonly address: string;
  readonly sri: string | undefined;
  readonly kids: readonly string[] | undefined;
} {
  try {
    const { positionals, values } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { sri: { type: 'string' }, kids: { type: 'string' } },
    });
    const [verb, address, ...rest] = positionals;
    const { sri, kids } = values;
    if (verb === 'check' && address && rest.length === 0)
      return { address, sri, kids: kids?.split(',') };
  } catch {
    // Arguments that cannot be parsed get the same message as invalid ones.
  }
  throw new PlainFailure(`Usage:\n${PAY_USAGE}`);
}

function readStored(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new PlainFailure(
      'The file of --sri cannot be read. Give the path of a stored copy of /v1/sri.json.',
    );
  }
}
