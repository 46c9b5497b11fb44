import type { Theme } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import TryIt from './try-it.vue';
import './site.css';

// VitePress loads a default export.
// biome-ignore lint/style/noDefaultExport: see above.
export default {
  extends: theme,
  enhanceApp: ({ app }) => {
    app.component('TryIt', TryIt);
  },
} satisfies Theme;
