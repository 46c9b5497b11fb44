/**
 * A topic of the documentation for all operations. Text and cells may contain `code` in backticks.
 */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly table?: Table;
  /** Code block, shown verbatim. */
  readonly code?: string;
}

interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The chapters as the Markdown of `info.description`. */
export const markdownOf = (chapters: readonly Chapter[]): string =>
  chapters
    .map(({ title, paragraphs, table, code }) =>
      [
        `## ${title}`,
        ...paragraphs,
        ...(table ? [markdownTable(table)] : []),
        ...(code ? [`\`\`\`sh\n${code}\n\`\`\``] : []),
      ].join('\n\n'),
    )
    .join('\n\n');

const markdownTable = ({ heads, rows }: Table): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
