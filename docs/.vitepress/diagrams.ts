import type { MarkdownRenderer } from 'vitepress';
import { diagramFigure, diagramTitle } from '../src/site/diagram.ts';

/** Renders fences of Mermaid as pictures, so that readers need no script. */
export function renderDiagrams({ renderer }: MarkdownRenderer): void {
  const renderFence = renderer.rules.fence;
  renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    if (info.startsWith('mermaid')) return diagramFigure(content, diagramTitle(info));
    return renderFence?.(tokens, index, ...rest) ?? '';
  };
}
