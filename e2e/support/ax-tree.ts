import type { CDPSession, Frame, Page } from 'playwright-core';

/** An element as Chromium gives it to screen readers. */
export interface AxNode {
  readonly id: string;
  readonly parent_id: string | undefined;
  readonly role: string;
  readonly name: string;
  /** Values such as `level`, `focusable` and `live`. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Roles that a person operates. Options are none: an empty one stands for no choice. */
const CONTROLS = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menuitem',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
]);
const ACTIONS = new Set(['button', 'link']);

/** Reads the accessibility tree of a page, or of a frame in it. */
export async function readAxTree(page: Page, frame?: Frame): Promise<readonly AxNode[]> {
  const session = await page.context().newCDPSession(page);
  try {
    return await nodesOf(session, frame?.url());
  } finally {
    await session.detach();
  }
}

async function nodesOf(
  session: CDPSession,
  frame_url: string | undefined,
): Promise<readonly AxNode[]> {
  const { frameTree } = await session.send('Page.getFrameTree');
  // The address of a frame in the tree has no fragment.
  const child = frameTree.childFrames?.find(({ frame }) => frame_url?.startsWith(frame.url));
  if (frame_url && !child) throw new Error(`The page has no frame ${frame_url}.`);
  const frameId = child?.frame.id;
  const { nodes } = await session.send('Accessibility.getFullAXTree', frameId ? { frameId } : {});
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ nodeId, parentId, role, name, properties = [] }) => ({
      id: nodeId,
      parent_id: parentId,
      role: String(role?.value ?? ''),
      name: String(name?.value ?? '').trim(),
      properties: Object.fromEntries(properties.map((it) => [it.name, it.value.value])),
    }));
}

/** Returns the problems of a tree: controls without names, actions of one row alike, headings out of order. */
export const axProblems = (nodes: readonly AxNode[]): readonly string[] => [
  ...unnamed(nodes),
  ...alikeInRows(nodes),
  ...headingGaps(nodes),
];

const unnamed = (nodes: readonly AxNode[]): readonly string[] =>
  nodes
    .filter(({ role, name, properties }) => CONTROLS.has(role) && !name && properties.focusable)
    .map(({ role }) => `${role} without a name`);

function alikeInRows(nodes: readonly AxNode[]): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const rowOf = (node: AxNode | undefined): AxNode | undefined =>
    node && (node.role === 'row' ? node : rowOf(byId.get(node.parent_id ?? '')));
  const seen = new Set<string>();
  return nodes.flatMap((node) => {
    const row = ACTIONS.has(node.role) ? rowOf(node) : undefined;
    if (!row) return [];
    const key = `${row.id} ${node.name}`;
    const problem = seen.has(key) ? [`two actions “${node.name}” in one row`] : [];
    seen.add(key);
    return problem;
  });
}

/** One first heading, and no level that leaves out another after it. */
function headingGaps(nodes: readonly AxNode[]): readonly string[] {
  const levels = nodes
    .filter(({ role }) => role === 'heading')
    .map(({ properties }) => Number(properties.level));
  const read = levels.slice(levels.indexOf(1));
  const count = levels.filter((level) => level === 1).length;
  const gaps = read.filter((level, at) => level > (read[at - 1] ?? 0) + 1);
  return [
    ...(count === 1 ? [] : [`${count} first headings`]),
    ...gaps.map((level) => `a heading of level ${level} leaves out a level`),
  ];
}

/** Texts in the live regions of a tree, which screen readers announce. */
export function announcements(nodes: readonly AxNode[]): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const isLive = (node: AxNode | undefined): boolean =>
    node !== undefined &&
    (/^(?:polite|assertive)$/.test(String(node.properties.live)) ||
      isLive(byId.get(node.parent_id ?? '')));
  return nodes.filter((node) => node.role === 'StaticText' && isLive(node)).map(({ name }) => name);
}
