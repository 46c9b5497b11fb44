import { isObject } from '../../http/input.ts';
import { BODY_DEPTH_MAX, textOfScalar, unusableBody } from './write-scalar.ts';

/** ASCII names with at most one prefix: all that processors use. */
const XML_NAME = /^[A-Za-z_][\w.-]*(:[A-Za-z_][\w.-]*)?$/;
/** Characters that XML 1.0 allows, https://www.w3.org/TR/xml/#charsets. */
const XML_TEXT = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const TEXT_MEMBER = '#text';
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/**
 * Writes an object with one member, the root, as XML. A member `@name` is an attribute, `#text` the text beside them, and
 * a list repeats its element. Undefined members are omitted. Throws `body_unusable` that names the position.
 */
export function writeXml(body: unknown): string {
  const roots = isObject(body) ? Object.entries(body) : [];
  const [root] = roots;
  if (roots.length !== 1 || !root || Array.isArray(root[1]))
    throw unusableBody([], 'is no object with one member, the root element');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElements(root[0], root[1], [root[0]])}`;
}

function writeElements(name: string, value: unknown, names: readonly string[]): string {
  if (value === undefined) return '';
  if (Array.isArray(value))
    return value.map((item, index) => writeElement(name, item, [...names, `${index}`])).join('');
  return writeElement(name, value, names);
}

function writeElement(name: string, value: unknown, names: readonly string[]): string {
  requireXmlName(name, names);
  if (names.length > BODY_DEPTH_MAX) throw unusableBody(names, 'is nested too deeply');
  if (!isObject(value)) return `<${name}>${escapeText(value, names)}</${name}>`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const attributes = members
    .filter(([key]) => key.startsWith('@'))
    .map(([key, member]) => writeAttribute(key, member, [...names, key]));
  const content = members
    .filter(([key]) => !key.startsWith('@'))
    .map(([key, member]) =>
      key === TEXT_MEMBER
        ? escapeText(member, [...names, key])
        : writeElements(key, member, [...names, key]),
    );
  return `<${name}${attributes.join('')}>${content.join('')}</${name}>`;
}

function writeAttribute(key: string, value: unknown, names: readonly string[]): string {
  const name = key.slice(1);
  requireXmlName(name, names);
  return ` ${name}="${escapeText(value, names)}"`;
}

function requireXmlName(name: string, names: readonly string[]): void {
  if (!XML_NAME.test(name)) throw unusableBody(names, 'has a name that XML cannot have');
}

function escapeText(value: unknown, names: readonly string[]): string {
  const text = textOfScalar(value, names);
  if (!XML_TEXT.test(text)) throw unusableBody(names, 'has a character that XML cannot have');
  return escapeXml(text);
}

/** Escapes a text for elements and attributes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"'\t\n\r]/g, (character) => ESCAPES[character] as string);
