import type { Chapter } from '@florin/server/jsonapi/openapi/chapter.ts';
import { markdownTable } from '../site/table.ts';
import { prose } from './schema-text.ts';

/** A topic of all operations, as a page. */
export const chapterPage = ({ title, paragraphs, table, code }: Chapter): string =>
  [
    `# ${title}`,
    ...paragraphs.map(prose),
    table
      ? markdownTable(
          table.heads,
          table.rows.map((cells) => cells.map(prose)),
        )
      : '',
    code ? `\`\`\`sh\n${code}\n\`\`\`\n` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
