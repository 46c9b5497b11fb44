/** A member whom a note can mention. */
export interface Mentionable {
  readonly membership_id: string;
  readonly account_id: string;
  readonly email: string;
  /** Name of the member, or the email address of a member without a name. */
  readonly label: string;
}

/**
 * Members whose label follows an `@` in the text, in any case. A longer label wins: `@Ann Lee` does not mention Ann.
 * Members with the same label are all mentioned.
 */
export function mentionedIn(text: string, members: readonly Mentionable[]): readonly Mentionable[] {
  const labels = [...new Set(members.map(({ label }) => label.toLowerCase()))].toSorted(
    (a, b) => b.length - a.length,
  );
  const found = new Set<string>();
  let rest = text.toLowerCase();
  for (const label of labels) {
    const parts = splitAtMentions(rest, label);
    if (parts.length > 1) found.add(label);
    // A letter that no label contains keeps the parts apart.
    rest = parts.join('\u0000');
  }
  return members.filter(({ label }) => found.has(label.toLowerCase()));
}

/** Splits a text at `@label`, unless a letter or digit follows. */
function splitAtMentions(text: string, label: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(`@${label}`); at >= 0; at = text.indexOf(`@${label}`, at + 1)) {
    const end = at + label.length + 1;
    if (/^[\p{L}\p{N}]/u.test(text.slice(end))) continue;
    parts.push(text.slice(from, at));
    from = end;
  }
  return [...parts, text.slice(from)];
}
