import { linksOf, navigationOf } from './navigation.ts';
import type { Page } from './pages.ts';

/** Lists all pages for programs that read documentation (llmstxt.org). */
export function llmsText(pages: readonly Page[]): string {
  const groups = navigationOf(pages).map((group) => {
    const links = linksOf([group]).map(
      ({ text, link = '' }) => `- [${text}](/docs${link.replace(/\/$/, '/index')}.md)`,
    );
    return `## ${group.text}\n\n${links.join('\n')}`;
  });
  return `# Florin\n\n> An open, self-hosted card payment service.\n\n${groups.join('\n\n')}\n`;
}
