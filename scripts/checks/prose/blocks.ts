import type { MicromarkToken } from 'markdownlint';

/** A paragraph, heading or table cell as plain text. */
export interface Block {
  readonly kind: 'paragraph' | 'heading' | 'cell';
  /** Text without markup. A code span is the word `code`. */
  readonly text: string;
  /** Line of the document at a position of the text. */
  lineAt(offset: number): number;
}

const KINDS: Readonly<Record<string, Block['kind']>> = {
  paragraph: 'paragraph',
  atxHeadingText: 'heading',
  tableContent: 'cell',
};
/** Tokens without prose. */
const SILENT = new Set(['tableDelimiterRow', 'resource', 'reference', 'image', 'definition']);
/** Headers of columns that quote words which nobody should write. */
const QUOTED_COLUMNS = new Set(['now', 'instead of']);
const CODE = '`code`';

/** Prose of a document, in order. Leaves out code, and table columns that quote bad examples. */
export function blocksOf(tokens: readonly MicromarkToken[]): Block[] {
  return tokens.flatMap((token) => {
    if (SILENT.has(token.type)) return [];
    if (typeOf(token) === 'table') return cellsOf(token);
    const kind = KINDS[token.type];
    return kind ? [blockOf(kind, token)] : blocksOf(token.children);
  });
}

function cellsOf(table: MicromarkToken): Block[] {
  const rows = table.children
    .flatMap(({ children }) => children)
    .filter((token) => typeOf(token) === 'tableRow')
    .map(({ children }) => children.filter(({ type }) => /^table(?:Header|Data)$/.test(type)));
  const headers = (rows[0] ?? []).map((cell) => textOf(cell).replaceAll('|', '').trim());
  return rows.flatMap((cells) =>
    cells
      .filter((_, column) => !QUOTED_COLUMNS.has(headers[column] ?? ''))
      .flatMap(({ children }) => blocksOf(children)),
  );
}

/** A string, because markdownlint's types lack the tokens of tables. */
const typeOf = ({ type }: MicromarkToken): string => type;
const textOf = ({ text }: MicromarkToken): string => text;

interface Piece {
  readonly text: string;
  readonly line: number;
}

function blockOf(kind: Block['kind'], token: MicromarkToken): Block {
  const pieces = token.children.flatMap(piecesOf);
  return {
    kind,
    text: pieces.map(({ text }) => text).join(''),
    lineAt(offset) {
      let end = 0;
      const piece = pieces.find(({ text }) => {
        end += text.length;
        return end > offset;
      });
      return piece?.line ?? token.startLine;
    },
  };
}

function piecesOf(token: MicromarkToken): Piece[] {
  const line = token.startLine;
  if (SILENT.has(token.type)) return [];
  if (token.type === 'lineEnding') return [{ text: ' ', line }];
  if (token.type === 'codeText') return [{ text: CODE, line }];
  if (/^(?:data|characterEscapeValue|characterReference)$/.test(token.type)) {
    return [{ text: token.text, line }];
  }
  return token.children.flatMap(piecesOf);
}
