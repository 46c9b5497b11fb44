import { findNearest } from '@florin/contract/nearest.ts';

/** Names that an error's detail may repeat: they look like names, and no part looks like a card number. */
const NAME = /^[A-Za-z_][\w.-]{0,99}$/;
const DIGITS_MAX = 8;

/** Error detail that names the unknown and the accepted names. */
export function unknownName(
  owner: string,
  kind: string,
  name: string,
  knownNames: Iterable<string>,
): string {
  const names = [...knownNames];
  const nameText = isName(name) ? ` \`${name}\`` : ' of this name';
  const [closest] = isName(name) ? findNearest(name, names, 1) : [];
  const hint = closest ? `; the nearest is \`${closest}\`` : '';
  return `${owner} has no ${kind}${nameText}${hint}. ${allowedText(names)}`;
}

/** Whether an error's detail may repeat the text as a name. */
export const isName = (text: string): boolean =>
  NAME.test(text) && text.replace(/\D/g, '').length <= DIGITS_MAX;

/** The accepted names, for an error's detail. */
const allowedText = (names: Iterable<string>): string => {
  const list = [...names].join(', ');
  return list === '' ? 'None is accepted.' : `Accepted: ${list}.`;
};
