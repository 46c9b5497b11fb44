import type { Plugin } from 'vite';

const COMPONENT = 'VPSidebarItem.vue';
const CARET = /role="button"\s+aria-label="toggle section"/;
const CARET_TABINDEX = /@keydown\.enter="onCaretClick"\s+tabindex="0"/;

/**
 * Makes the caret of a group without a link part of the group's own button. VitePress nests two buttons, which
 * screen readers cannot reach (axe: nested-interactive).
 */
export const sidebarCaret = (): Plugin => ({
  name: 'florin-sidebar-caret',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith(COMPONENT)) return undefined;
    if (!CARET.test(code) || !CARET_TABINDEX.test(code)) {
      throw new Error(`${COMPONENT} of VitePress has changed: see ${import.meta.filename}`);
    }
    return code
      .replace(
        CARET,
        ':role="item.link && \'button\'" :aria-label="item.link && \'toggle section\'"',
      )
      .replace(CARET_TABINDEX, '@keydown.enter="onCaretClick" :tabindex="item.link && 0"');
  },
});
