import { SaxesParser } from 'saxes';
import { BadRequest } from '../parse.ts';

/** An element with its children in their order, which the schema prescribes. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const DEPTH_MAX = 16;

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/** Reads a message. Throws `BadRequest` for anything but one element without document type. */
export function parseXml(xml: string): XmlElement {
  const parser = new SaxesParser({ position: false });
  const top: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const refuse = (): never => {
    throw new BadRequest('The body is not XML.');
  };
  parser.on('error', () => refuse());
  parser.on('doctype', () => refuse());
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > DEPTH_MAX) refuse();
    const texts = attributes as Readonly<Record<string, string>>;
    const element: OpenElement = { name, attributes: texts, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return top.children[0] ?? refuse();
}

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** Text of an element inside others; undefined if one of them is missing. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | undefined {
  let found: XmlElement | undefined = element;
  for (const name of path) found = childOf(found, name);
  return found?.text.trim();
}

/** An element to write: a text, members by name, or a list of elements of one name. Undefined is left out. */
export type XmlContent =
  | string
  | undefined
  | readonly XmlContent[]
  | { readonly [name: string]: XmlContent };

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escapeText = (text: string): string =>
  text.replace(/[&<"]/g, (character) => ESCAPED[character] as string);

/** Writes an element. Members whose names begin with `@` are attributes. */
export function renderXml(name: string, content: XmlContent): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return `<${name}>${escapeText(content)}</${name}>`;
  if (Array.isArray(content)) return content.map((each) => renderXml(name, each)).join('');
  const members = Object.entries(content as Readonly<Record<string, XmlContent>>);
  const attributes = members
    .filter(([member, value]) => member.startsWith('@') && value !== undefined)
    .map(([member, value]) => ` ${member.slice(1)}="${escapeText(String(value))}"`);
  const inner = members
    .filter(([member]) => !member.startsWith('@'))
    .map(([member, value]) => renderXml(member, value));
  return `<${name}${attributes.join('')}>${inner.join('')}</${name}>`;
}
