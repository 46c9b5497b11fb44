/** A circle with a tick, before a heading that says the same in words. The style sheet `shop.css` gives its colour. */
export const SUCCESS_MARK = `<svg class="success" viewBox="0 0 48 48" aria-hidden="true">
<circle cx="24" cy="24" r="24"/><path d="M14 25l7 7 13-15" fill="none" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>
</svg>`;
