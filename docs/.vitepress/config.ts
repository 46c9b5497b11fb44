import { readFileSync } from 'node:fs';
import { slug } from 'github-slugger';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { renderDiagrams } from './diagrams.ts';
import { sidebarCaret } from './sidebar-caret.ts';

/** The build writes the sidebars beside the expanded pages. */
const sidebar = JSON.parse(
  readFileSync(new URL('../.build/sidebars.json', import.meta.url), 'utf8'),
) as DefaultTheme.SidebarMulti;

/** In the page, so that browsers do not ask for `/favicon.ico`, which does not exist. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#3451b2"/><path d="M6 4h5v2H8v2h2v2H8v3H6z" fill="#fff"/></svg>',
)}`;

// VitePress loads a default export.
// biome-ignore lint/style/noDefaultExport: see above.
export default defineConfig({
  title: 'Florin',
  description: 'Documentation of Florin, an open, self-hosted card payment service',
  base: '/docs/',
  head: [['link', { rel: 'icon', href: ICON }]],
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
