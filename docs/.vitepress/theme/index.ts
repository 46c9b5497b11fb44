import theme from 'vitepress/theme-without-fonts';

// VitePress loads a default export.
// biome-ignore lint/style/noDefaultExport: see above.
export default theme;
