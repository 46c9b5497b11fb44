import { createHash } from 'node:crypto';

/** A complete HTML response. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** JSON that cannot close the script element around it. */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c');

/** Source expression that allows one inline style sheet (Content Security Policy Level 3). */
export const styleSource = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Formats directives as a policy header. Throws an `Error` for a value that would start another directive. */
export function renderPolicy(directives: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(directives)) {
    if (/[;,\r\n]/.test(value))
      throw new Error(`The policy directive ${name} has a stray separator.`);
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
