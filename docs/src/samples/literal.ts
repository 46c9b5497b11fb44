/** A JSON value of a sample. A text `{{name}}` stands for the id of the record captured as `name`. */
export type SampleValue =
  | string
  | number
  | boolean
  | null
  | readonly SampleValue[]
  | { readonly [key: string]: SampleValue };

/** How a language writes nested values. */
export interface LiteralStyle {
  readonly object: readonly [open: string, close: string];
  readonly list: readonly [open: string, close: string];
  /** Writes a key with what separates it from its value. */
  key(name: string): string;
  text(value: string): string;
  /** Writes the id of a captured record. */
  id(name: string): string;
  readonly nothing: string;
  readonly booleans: readonly [no: string, yes: string];
  readonly hasTrailingCommas: boolean;
  /** Space inside of the brackets of an object on one line. */
  readonly padding: string;
}

const LINE_MAX = 88;
const INDENT = '  ';

/** Writes a value in a language. Objects and lists that fit go on one line. */
export function literalOf(value: SampleValue, style: LiteralStyle, depth = 0): string {
  if (value === null) return style.nothing;
  if (typeof value === 'boolean') return style.booleans[Number(value) as 0 | 1];
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return textOf(value, style);
  return Array.isArray(value)
    ? nested(
        style.list,
        value.map((item) => ['', item] as const),
        style,
        depth,
      )
    : nested(
        style.object,
        Object.entries(value).map(([key, item]) => [style.key(key), item] as const),
        style,
        depth,
      );
}

/** The name of the record whose id a text stands for. */
export const capturedName = (text: string): string | undefined => /^\{\{(\w+)\}\}$/.exec(text)?.[1];

function textOf(text: string, style: LiteralStyle): string {
  const name = capturedName(text);
  return name ? style.id(name) : style.text(text);
}

function nested(
  [open, close]: readonly [string, string],
  members: readonly (readonly [key: string, value: SampleValue])[],
  style: LiteralStyle,
  depth: number,
): string {
  if (members.length === 0) return open + close;
  const inline = members.map(([key, value]) => key + literalOf(value, style, depth + 1));
  const padding = open === style.object[0] ? style.padding : '';
  const oneLine = `${open}${padding}${inline.join(', ')}${padding}${close}`;
  const isShort = !oneLine.includes('\n') && INDENT.length * depth + oneLine.length <= LINE_MAX;
  if (isShort && depth > 0) return oneLine;
  const indent = INDENT.repeat(depth + 1);
  const lines = inline.map((line) => indent + line).join(',\n');
  return `${open}\n${lines}${style.hasTrailingCommas ? ',' : ''}\n${INDENT.repeat(depth)}${close}`;
}
