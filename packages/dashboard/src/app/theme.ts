import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The green of the logo, from lightest to darkest. */
const florin: MantineColorsTuple = [
  '#eaf7f1',
  '#d3ebe1',
  '#a5d6c3',
  '#75c0a3',
  '#4dad88',
  '#34a177',
  '#239b6d',
  '#1f7d5a',
  '#1a6a4c',
  '#0d563c',
];

export const theme = createTheme({
  colors: { florin },
  primaryColor: 'florin',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // The chevron of a select would be read as an unnamed image.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    // The page has one banner, so dialog headers drop that role. `Modal.extend` would load the dialog code with the
    // first page.
    Modal: { defaultProps: { attributes: { header: { role: 'none' } } } },
  },
});

/** Darkens greys, reds and yellows of Mantine: they miss the text contrast of WCAG 2.2 (1.4.3). */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545b62',
    '--mantine-color-placeholder': '#646b73',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#0d563c',
    '--mantine-color-yellow-light-color': '#7a4f00',
  },
  dark: {
    '--mantine-color-dimmed': '#b4bac2',
    '--mantine-color-placeholder': '#9aa1aa',
    '--mantine-color-error': '#ff9a91',
    '--mantine-color-anchor': '#75c0a3',
  },
});
