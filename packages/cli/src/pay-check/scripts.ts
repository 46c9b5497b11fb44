/** Attributes of a `<script>`; undefined unless the form writes them in exactly this way. */
export type Script = ReadonlyMap<string, string> | undefined;

const TAG = /<script\b([^>]*)>/gi;
/** Stricter than HTML: browsers accept other spellings and may interpret them differently. */
const ATTRIBUTES = /^(?: [a-z-]+(?:="[^"]*")?)*$/;
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g;

export const scriptsOf = (html: string): Script[] =>
  [...html.matchAll(TAG)].map(([, text = '']) => attributesOf(text));

function attributesOf(text: string): Script {
  if (!ATTRIBUTES.test(text)) return undefined;
  const entries = [...text.matchAll(ATTRIBUTE)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const attributes = new Map(entries);
  return attributes.size === entries.length ? attributes : undefined;
}

/** Whether browsers treat the element as data. */
export const isData = (script: Script): boolean => script?.get('type') === 'application/json';

/**
 * Whether the script is Google's. Google changes it at any time, so it has no hash; the policy limits where it may
 * run.
 */
export const isGoogle = (script: Script): boolean =>
  script?.get('src') === 'https://pay.google.com/gp/p/js/pay.js';

/** Returns the script's address and hash; undefined unless both are given. */
export function pinOf(script: Script, base: URL): { url: URL; integrity: string } | undefined {
  const [src, integrity] = [script?.get('src'), script?.get('integrity')];
  const url = src ? URL.parse(src, base.href) : null;
  return url && integrity ? { url, integrity } : undefined;
}
