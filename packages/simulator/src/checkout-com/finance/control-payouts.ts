import { badControl, notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import type { ControlCall } from '../../stand-in/control.ts';
import { membersOf, textOf } from '../../stand-in/members.ts';
import type { CheckoutServices } from '../call.ts';
import { MOVEMENTS_MAX } from './movement-books.ts';
import { reportsOf } from './report-periods.ts';

/**
 * `POST /control/accounts/{channel}/payouts {unknown_type?}`: pays all movements that no report has, and makes their
 * report ready at once. `unknown_type` adds a row of this type.
 */
export function payOutEarly(
  services: CheckoutServices,
  { body }: ControlCall,
  channel: string,
): StandInAnswer {
  const { books, now } = services;
  if (!books.accounts.find(channel)) return notFound;
  const waiting = reportsOf(books, [channel]).filter(({ createdAt }) => createdAt > now());
  if (waiting.length === 0) return badControl('There are no movements since the last report.');
  const unknownType = textOf(membersOf(body).unknown_type) ?? null;
  const rows = waiting.map(({ from, until }, index) => {
    const movements = books.movements.list({ channels: [channel], from, until }, MOVEMENTS_MAX);
    const last = Math.max(...movements.map(({ processedAt }) => processedAt));
    books.earlyPayouts.add({
      channel,
      at: last + 1,
      unknownType: index === 0 ? unknownType : null,
    });
    return movements.length;
  });
  const movements = rows.reduce((sum, count) => sum + count, 0);
  return { status: 201, body: { reports: waiting.length, movements } };
}
