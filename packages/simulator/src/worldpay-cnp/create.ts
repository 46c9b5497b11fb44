import type { StandIn } from '../http.ts';
import { serveControl } from '../stand-in/control.ts';
import { createTransport } from '../stand-in/transport.ts';
import { invalidXml } from './answers.ts';
import { openCnpBooks } from './books.ts';
import type { CnpServices } from './call.ts';
import { cnpControlRoutes } from './control.ts';
import { cnpFaultPathOf, createCnpDispatch } from './dispatch.ts';
import { parseXml } from './xml-element.ts';

export interface WorldpayCnpConfig {
  /** Directory of the books; only one stand-in may use it at a time. */
  readonly dataDir: string;
  readonly now?: () => Date;
}

/** Stand-in of Worldpay's cnpAPI, with a control surface below `/control`. */
export type WorldpayCnp = StandIn & Disposable;

/** Opens the stand-in's books. Throws if another process has them open. */
export function createWorldpayCnp({
  dataDir,
  now = () => new Date(),
}: WorldpayCnpConfig): WorldpayCnp {
  const books = openCnpBooks(dataDir);
  const services: CnpServices = { books, now: () => now().getTime() + books.clockOffset() };
  const closing = new AbortController();
  const transport = createTransport({
    prefix: '/worldpay-cnp',
    malformed: invalidXml,
    parse: parseXml,
    faultPathOf: cnpFaultPathOf,
    answer: createCnpDispatch(services),
    control: (call) => books.commit(() => serveControl(cnpControlRoutes, services, call)),
    complete: (answer) => answer,
    closingSignal: closing.signal,
  });
  return {
    ...transport,
    [Symbol.dispose]() {
      closing.abort();
      books[Symbol.dispose]();
    },
  };
}
