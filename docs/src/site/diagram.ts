import { escapeHtml } from '@florin/contract/html.ts';
import { renderMermaidSVG } from 'beautiful-mermaid';

/** Style sheet in the picture. The site has these rules in its own style sheet, as its policy demands. */
const STYLE = /<style>[\s\S]*?<\/style>\s*/;

/** Renders a Mermaid diagram as a figure. `title` describes the picture to people who cannot see it. */
export function diagramFigure(source: string, title: string): string {
  const svg = renderMermaidSVG(source, { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)' });
  const label = `role="img" aria-label="${escapeHtml(title)}"`;
  return `<figure class="diagram" v-pre>${svg.replace(STYLE, '').replace('<svg ', `<svg ${label} `)}</figure>\n`;
}

/** Title of a fence such as `mermaid title="States of a payment"`. Throws if it has none. */
export function diagramTitle(info: string): string {
  const [, title] = /\btitle="([^"]+)"/.exec(info) ?? [];
  if (!title)
    throw new Error('A diagram needs a description: ```mermaid title="States of a payment".');
  return title;
}
