import type { Page } from 'playwright-core';

/** An element as a screen reader reads it. */
interface Node {
  readonly role: string;
  readonly name: string;
  /** Level of a heading. */
  readonly level: number;
  readonly url: string;
  /** Elements around it, outer ones first. */
  readonly around: readonly Node[];
}

/** Roles that a person operates or that stand for a picture: each needs a name. */
const NAMED = new Set([
  'button',
  'checkbox',
  'combobox',
  'dialog',
  'figure',
  'img',
  'link',
  'navigation',
  'radio',
  'radiogroup',
  'region',
  'searchbox',
  'spinbutton',
  'switch',
  'tab',
  'table',
  'textbox',
]);

/** Controls that do the same wherever their names are the same, or else stand in different parts of the page. */
const UNIQUE = new Set(['button', 'checkbox', 'combobox', 'searchbox', 'table', 'textbox']);

/** Parts that people know they are in. A row is none: lists of buttons do not name the row. */
const PARTS = new Set(['article', 'columnheader', 'dialog', 'navigation', 'region', 'tabpanel']);
const NAMED_PARTS = new Set(['group', 'listitem']);

/** Parts and rows, which name the links in them. */
const LINK_PARTS = new Set([...PARTS, 'definition', 'listitem', 'row']);

/**
 * Returns what somebody who cannot see the page would miss. Controls, tables and pictures need a name, different controls
 * different names. Headings leave out no level.
 */
export const findNameProblems = async (page: Page): Promise<readonly string[]> =>
  nameProblemsOf(await page.locator('body').ariaSnapshot());

/** Returns the problems of a page by its ARIA snapshot, each once. */
export function nameProblemsOf(snapshot: string): readonly string[] {
  const nodes = readNodes(snapshot);
  const problems = nodes.filter(isUnnamed).map(({ role }) => `unnamed ${role}`);
  const nested = nodes.filter(isNested).map(({ role, name }) => `${role} “${name}” in a link`);
  return [...new Set([...problems, ...nested, ...repeatedNames(nodes), ...headingProblems(nodes)])];
}

/** Keyboards and screen readers reach only one of a link and a control in it. */
const isNested = ({ role, around }: Node): boolean =>
  (role === 'link' || role === 'button') && around.some((it) => it.role === 'link');

/** A picture in a control with a name of its own is decoration. */
function isUnnamed({ role, name, around }: Node): boolean {
  if (name !== '' || !NAMED.has(role)) return false;
  return role !== 'img' || !around.some((it) => it.role === 'button' || it.role === 'link');
}

function repeatedNames(nodes: readonly Node[]): readonly string[] {
  const seen = new Map<string, Node>();
  return nodes.flatMap((node) => {
    const { role, name, url, around } = node;
    const isLink = role === 'link';
    if (name === '' || REPEATED.test(name) || !(isLink || UNIQUE.has(role))) return [];
    const parts = around.filter((it) => (isLink ? isLinkPart(it) : isPart(it)));
    const key = [role, name, ...parts.map((part) => nodes.indexOf(part))].join();
    const other = seen.get(key);
    seen.set(key, node);
    return other && !(isLink && other.url === url) ? [`two of ${role} “${name}”`] : [];
  });
}

/**
 * Names that may repeat: copies of one value, and the two buttons that close a dialog. Choices of records have the names
 * of the records, which two payments of a minute may share.
 */
const REPEATED = /^(?:Copy .*|Close|Select: .*)$/;

const isPart = ({ role, name }: Node): boolean =>
  PARTS.has(role) || (NAMED_PARTS.has(role) && name !== '');

const isLinkPart = ({ role }: Node): boolean => LINK_PARTS.has(role);

/** One first heading, and after it no level that leaves out another. The navigation may have headings before it. */
function headingProblems(nodes: readonly Node[]): readonly string[] {
  const headings = nodes.filter(({ role }) => role === 'heading');
  const first = headings.findIndex(({ level }) => level === 1);
  const read = headings.slice(first);
  const gaps = read.filter(({ level }, index) => level > (read[index - 1]?.level ?? 0) + 1);
  const count = headings.filter(({ level }) => level === 1).length;
  return [
    ...(count === 1 ? [] : [`${count} first headings`]),
    ...gaps.map(({ name, level }) => `heading “${name}” of level ${level} leaves out a level`),
  ];
}

/** `- role "name" [state]: text`, in quotes of YAML where the line has a colon. */
const LINE = /^(?<indent> *)- '?(?<role>[a-z]+)(?: "(?<name>(?:[^"\\]|\\.)*)")?(?<rest>.*)$/;
const URL_LINE = /^ *- \/url: "?(?<url>[^"]*)"?$/;

/** Reads the lines of an ARIA snapshot. An element with a text alone is named by it. */
function readNodes(snapshot: string): readonly Node[] {
  const lines = snapshot.split('\n');
  const open: { readonly indent: number; readonly node: Node }[] = [];
  return lines.flatMap((line, index) => {
    const { indent = '', role = '', name = '', rest = '' } = LINE.exec(line)?.groups ?? {};
    if (role === '') return [];
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
    const node: Node = {
      role,
      name,
      level: Number(/\[level=(\d)\]/.exec(rest)?.[1] ?? 0),
      url: URL_LINE.exec(lines[index + 1] ?? '')?.groups?.url ?? '',
      around: open.map((it) => it.node),
    };
    open.push({ indent: indent.length, node });
    return [node];
  });
}
