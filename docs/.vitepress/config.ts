import { readFileSync } from 'node:fs';
import { type DefaultTheme, defineConfig } from 'vitepress';

/** The build writes the navigation beside the expanded pages. */
const sidebar = JSON.parse(
  readFileSync(new URL('../.build/navigation.json', import.meta.url), 'utf8'),
) as DefaultTheme.SidebarItem[];

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
  vite: { logLevel: 'warn' },
  themeConfig: {
    search: { provider: 'local' },
    sidebar,
    outline: [2, 3],
    externalLinkIcon: true,
  },
});
