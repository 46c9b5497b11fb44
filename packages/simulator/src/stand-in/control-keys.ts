import { noContent, notFound, type StandInAnswer } from './answer.ts';
import type { ControlCall, ControlRoute } from './control.ts';
import { membersOf, textOf } from './members.ts';
import type { StandInBooks } from './open-books.ts';

interface KeyServices {
  readonly books: StandInBooks;
}

/** Operations of all control surfaces that refuse and accept the keys of accounts. */
export const keyControlRoutes: readonly ControlRoute<KeyServices>[] = [
  { method: 'POST', path: /^\/refused-keys$/, run: refuseKeys },
  { method: 'DELETE', path: /^\/refused-keys$/, run: acceptKeys },
];

/** `POST /control/refused-keys {account}`: refuses an account's keys as the processor does after a revocation. */
function refuseKeys({ books }: KeyServices, { body }: ControlCall): StandInAnswer {
  const name = textOf(membersOf(body).account) ?? '';
  if (!books.accounts.find(name)) return notFound;
  books.accounts.refuseKeys(name);
  return noContent;
}

/** `DELETE /control/refused-keys`: accepts the keys of all accounts again. */
function acceptKeys({ books }: KeyServices): StandInAnswer {
  books.accounts.acceptKeys();
  return noContent;
}
