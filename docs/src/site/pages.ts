import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of the site, as its source. */
export interface Page {
  /** Path below the site's root, without extension: `guides/refunds`. */
  readonly path: string;
  /** First heading. */
  readonly title: string;
  /** Position in its group of the navigation. Pages with equal numbers follow their paths. */
  readonly order: number;
  /** Nested group of the navigation. */
  readonly subgroup?: string;
  /** Markdown after the front matter. */
  readonly markdown: string;
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;

/** Reads the pages below a folder. Throws an error that names a page without order or heading. */
export const readPages = (folder: string): readonly Page[] =>
  globSync('**/*.md', { cwd: folder })
    .sort()
    .map((file) => parsePage(file.replace(/\.md$/, ''), readFileSync(join(folder, file), 'utf8')));

/** Parses a page: front matter with `order`, then Markdown that begins with a heading. */
export function parsePage(path: string, text: string): Page {
  const [head = '', fields = ''] = FRONT_MATTER.exec(text) ?? [];
  const markdown = text.slice(head.length).trimStart();
  const [, order] = /^order: (\d+)$/m.exec(fields) ?? [];
  if (!order)
    throw new Error(`${path}.md needs front matter with its position, such as "order: 20".`);
  const [, title] = /^# (.+)\n/.exec(markdown) ?? [];
  if (!title) throw new Error(`${path}.md must begin with a heading: "# Title".`);
  return { path, title, order: Number(order), markdown };
}
