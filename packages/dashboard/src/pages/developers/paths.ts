/** Addresses that pages of this folder link to. They stand apart from `routes.ts`, which imports those pages. */
export const SNIPPET_PATH = 'developers/snippet';

export const letterPath = (id: string): string => `developers/letters/${id}`;
