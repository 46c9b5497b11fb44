/** Name of a sheet of Mantine's, as "Button.css", with its text. */
export type Sheets = ReadonlyMap<string, string>;

/** Names of Mantine's classes, which are the same in its scripts and in its sheets. */
const CLASS = /\bm_[0-9a-f]{5,8}\b/g;

const classesOf = (text: string): ReadonlySet<string> => new Set(text.match(CLASS));

/** Names of the sheets that style a class of the scripts, and whose classes `styles` does not have. */
export function missingSheets(scripts: string, styles: string, sheets: Sheets): string[] {
  const [used, styled] = [classesOf(scripts), classesOf(styles)];
  return [...sheets]
    .filter(([, text]) =>
      classesOf(text)
        .values()
        .some((name) => used.has(name) && !styled.has(name)),
    )
    .map(([name]) => name);
}
