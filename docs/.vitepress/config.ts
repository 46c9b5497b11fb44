import { readFileSync } from 'node:fs';
import { slug } from 'github-slugger';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { renderDiagrams } from './diagrams.ts';
import { sidebarCaret } from './sidebar-caret.ts';

/** The build writes the sidebars beside the expanded pages. */
const sidebar = JSON.parse(
  readFileSync(new URL('../.build/sidebars.json', import.meta.url), 'utf8'),
) as DefaultTheme.SidebarMulti;

// VitePress loads a default export.
// biome-ignore lint/style/noDefaultExport: see above.
export default defineConfig({
  title: 'Florin',
  description: 'Documentation of Florin, an open, self-hosted card payment service',
  base: '/docs/',
  srcDir: '.build/pages',
  outDir: '.build/dist',
  cacheDir: '.build/cache',
  cleanUrls: true,
  metaChunk: true,
  vite: { logLevel: 'warn', plugins: [sidebarCaret()] },
  // Other themes have comments with less contrast than WCAG asks for.
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: renderDiagrams,
    // Headings have the same ids as on GitHub; `npm run check` compares links with them.
    anchor: { slugify: slug },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar,
    outline: [2, 3],
    externalLinkIcon: true,
  },
});
