import { SaxesParser } from 'saxes';
import { BODY_DEPTH_MAX } from './write-scalar.ts';

const ELEMENTS_MAX = 4_096;
const ATTRIBUTES_MAX = 64;

/** An element while it is read. */
interface OpenElement {
  readonly name: string;
  /** Attributes and child elements, in their order. */
  readonly members: [string, unknown][];
  text: string;
}

/**
 * Reads XML as an object with one member, the root. An element is a text, or an object if it has attributes (`@name`) or
 * elements; its text is then `#text`. A repeated element is a list. Throws for malformed XML, document types, entities
 * other than XML's own five, processing instructions, and sizes over the limits.
 */
export function readXml(xml: string): unknown {
  const parser = new SaxesParser({ position: false });
  const openElements: OpenElement[] = [{ name: '', members: [], text: '' }];
  let elements = 0;
  const refuse = (problem: string): never => {
    throw new RangeError(`The answer has ${problem}.`);
  };
  const appendText = (text: string): void => {
    const element = openElements.at(-1);
    if (element) element.text += text;
  };
  parser.on('doctype', () => refuse('a document type'));
  parser.on('processinginstruction', () => refuse('a processing instruction'));
  parser.on('opentag', ({ name, attributes }) => {
    const members = Object.entries(attributes).map(([key, value]): [string, unknown] => [
      `@${key}`,
      value,
    ]);
    elements += 1;
    if (elements > ELEMENTS_MAX) refuse('too many elements');
    if (openElements.length > BODY_DEPTH_MAX) refuse('too many levels');
    if (members.length > ATTRIBUTES_MAX) refuse('too many attributes');
    openElements.push({ name, members, text: '' });
  });
  parser.on('text', appendText);
  parser.on('cdata', appendText);
  parser.on('closetag', () => {
    const element = openElements.pop() as OpenElement;
    openElements.at(-1)?.members.push([element.name, contentOf(element)]);
  });
  parser.write(xml).close();
  return joinMembers(openElements[0]?.members ?? []);
}

function contentOf({ members, text }: OpenElement): unknown {
  if (members.length === 0) return text.trim();
  const trimmed = text.trim();
  return joinMembers(trimmed === '' ? members : [...members, ['#text', trimmed]]);
}

/** Makes an object of members. Own members only: an element may have any name, such as `__proto__`. */
function joinMembers(members: readonly (readonly [string, unknown])[]): unknown {
  const byName = Map.groupBy(members, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, named]) => [
      name,
      named.length > 1 ? named.map(([, value]) => value) : named[0]?.[1],
    ]),
  );
}
