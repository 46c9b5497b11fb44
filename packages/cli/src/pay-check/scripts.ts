/** Attributes of a `<script>`, undefined where they are not written as the form writes them. */
export type Script = ReadonlyMap<string, string> | undefined;

const TAG = /<script\b([^>]*)>/gi;
/** Browsers also take what is written otherwise, and may read another thing in it. */
const ATTRIBUTES = /^(?: [a-z-]+(?:="[^"]*")?)*$/;
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g;

export const scriptsOf = (html: string): Script[] =>
  [...html.matchAll(TAG)].map(([, text = '']) => attributesOf(text));

function attributesOf(text: string): Script {
  if (!ATTRIBUTES.test(text)) return undefined;
  const all = [...text.matchAll(ATTRIBUTE)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const attributes = new Map(all);
  return attributes.size === all.length ? attributes : undefined;
}

/** What browsers do not run. */
export const isData = (script: Script): boolean => script?.get('type') === 'application/json';

/** Google's own, which has no hash: it is another one whenever Google says so. The policy says where it may run. */
export const isGoogle = (script: Script): boolean =>
  script?.get('src') === 'https://pay.google.com/gp/p/js/pay.js';

/** The script's address and hash; undefined where it is not named by both. */
export function pinOf(script: Script, base: URL): { url: URL; integrity: string } | undefined {
  const [src, integrity] = [script?.get('src'), script?.get('integrity')];
  const url = src ? URL.parse(src, base.href) : null;
  return url && integrity ? { url, integrity } : undefined;
}
