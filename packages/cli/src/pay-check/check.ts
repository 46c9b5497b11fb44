import { createHash } from 'node:crypto';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { type Differences, documentDifferences, scriptDifferences } from './expectations.ts';
import { fetchPlain } from './fetch-plain.ts';
import { type Pins, readPins } from './pins.ts';
import { isData, isGoogle, pinOf, scriptsOf } from './scripts.ts';
import { findKeyDifferences } from './sealing-key.ts';

/** A checked file and its differences. */
export interface CheckedFile {
  readonly subject: string;
  readonly differences: Differences;
}

const MANIFEST = '/v1/sri.json';
/** Path of a payment that does not exist: its document has the same headers as a real form. */
const NO_FORM = '/pay/none';
const ORIGIN_ONLY = '/';

/**
 * Checks the files of a pay origin: scripts with hashes and headers, and the form's document if the address is a
 * form's (`/pay/…?key=…`). `baseline`: pins stored at a known good time. `kids`: the vault's sealing keys, of which the
 * form must have one.
 */
export async function checkPay(
  address: string,
  baseline?: Pins,
  kids?: readonly string[],
): Promise<readonly CheckedFile[]> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new PlainFailure(
      'The address must be that of a pay origin, such as https://pay.example.com.',
    );
  }
  const pins = readPins(await fetchPlain(new URL(MANIFEST, url)));
  const scripts = Object.entries(pins).flatMap(([name, { url: pinned, integrity }]) => [
    checkScript(new URL(pinned, url), integrity),
    checkScript(new URL(`/v1/${name}`, url), integrity),
  ]);
  const form = url.pathname === ORIGIN_ONLY ? new URL(NO_FORM, url) : url;
  const pinChecks = baseline ? [comparePins(pins, baseline)] : [];
  return [...pinChecks, ...(await Promise.all(scripts)), ...(await checkDocument(form, kids))];
}

function comparePins(pins: Pins, baseline: Pins): CheckedFile {
  const names = new Set([...Object.keys(pins), ...Object.keys(baseline)]);
  const differences = [...names]
    .filter((name) => pins[name]?.integrity !== baseline[name]?.integrity)
    .map((name) => `${name} is another one`);
  return { subject: 'the stored list of scripts', differences };
}

async function checkScript(url: URL, integrity: string): Promise<CheckedFile> {
  const { status, headers, body } = await fetchPlain(url);
  const isAltered = status !== OK || integrityOf(body) !== integrity;
  return {
    subject: url.pathname,
    differences: [
      ...(isAltered ? ['it does not match its hash'] : []),
      ...scriptDifferences(url.pathname, headers),
    ],
  };
}

const OK = 200;
const integrityOf = (body: Buffer): string =>
  `sha384-${createHash('sha384').update(body).digest('base64')}`;

/** Checks the document and its scripts. The document must name each script with its hash. */
async function checkDocument(
  url: URL,
  kids: readonly string[] | undefined,
): Promise<readonly CheckedFile[]> {
  const { headers, body } = await fetchPlain(url);
  const runningScripts = scriptsOf(body.toString()).filter((tag) => !isData(tag) && !isGoogle(tag));
  const pinnedScripts = runningScripts.flatMap((tag) => pinOf(tag, url) ?? []);
  const document = {
    subject: url.pathname,
    differences: [
      ...documentDifferences(headers),
      ...(kids ? findKeyDifferences(body.toString(), kids) : []),
      ...(pinnedScripts.length < runningScripts.length ? [UNPINNED] : []),
      ...(pinnedScripts.length > DOCUMENT_SCRIPTS_MAX
        ? ['it runs more scripts than a form has']
        : []),
    ],
  };
  const scripts = pinnedScripts
    .slice(0, DOCUMENT_SCRIPTS_MAX)
    .map(({ url: script, integrity }) => checkScript(script, integrity));
  return [document, ...(await Promise.all(scripts))];
}

const UNPINNED = 'it runs a script without a hash';
/** A form needs one script. Documents with more than this number are refused. */
const DOCUMENT_SCRIPTS_MAX = 4;
