import { onContentUpdated, type Theme } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { onMounted } from 'vue';
import { applyLanguageChoice, followLanguageChoice } from './language-choice.ts';
import TryIt from './try-it.vue';
import './site.css';

// VitePress loads a default export.
// biome-ignore lint/style/noDefaultExport: see above.
export default {
  extends: theme,
  enhanceApp: ({ app }) => {
    app.component('TryIt', TryIt);
  },
  setup: () => {
    onMounted(followLanguageChoice);
    onContentUpdated(applyLanguageChoice);
  },
} satisfies Theme;
