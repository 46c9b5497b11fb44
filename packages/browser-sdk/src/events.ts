import {
  type SdkEventDetail,
  type SdkEventName,
  sdkEventNames,
  terminalEventNames,
} from '@florin/contract/protocol/frame.ts';

/** Argument of a handler. Events are hints for the page; only the webhook is authoritative. */
export interface FlorinEvent<Name extends SdkEventName = SdkEventName> {
  readonly type: Name;
  readonly detail: SdkEventDetail;
}

export type FlorinHandler<Name extends SdkEventName> = (event: FlorinEvent<Name>) => void;

/**
 * Rejection of `verifyPaymentMethod` and `listenToPayment`. `type` is the event that ended the call, or
 * `destroyed`.
 */
export class FlorinError extends Error {
  override name = 'FlorinError';
  readonly type: SdkEventName | 'destroyed';
  readonly detail: SdkEventDetail;

  constructor(type: SdkEventName | 'destroyed', detail: SdkEventDetail) {
    super(detail.message ?? type);
    this.type = type;
    this.detail = detail;
  }
}

const isEventName = (name: unknown): name is SdkEventName =>
  (sdkEventNames as readonly unknown[]).includes(name);

/** Whether the event ends a payment attempt. */
export const isTerminal = (name: SdkEventName): boolean =>
  (terminalEventNames as readonly SdkEventName[]).includes(name);

/** Creates a registry of handlers by event name. A handler that throws is reported and does not stop the others. */
export function createEmitter() {
  const handlers = new Map<SdkEventName, Set<(event: FlorinEvent<never>) => void>>();
  return {
    /**
     * Returns a function that removes the handler. Throws an `Error` for an unknown event and a `TypeError` if the
     * handler is not a function.
     */
    on<Name extends SdkEventName>(name: Name, handler: FlorinHandler<Name>): () => void {
      if (!isEventName(name)) throw new Error(`Florin: there is no event "${name}".`);
      // A new function per registration, so that each registration of the same handler can be removed alone.
      const registered: FlorinHandler<Name> = handler.bind(undefined);
      handlers.set(name, (handlers.get(name) ?? new Set()).add(registered));
      return () => void handlers.get(name)?.delete(registered);
    },
    emit(type: SdkEventName, detail: SdkEventDetail): void {
      const event = { type, detail } as FlorinEvent<never>;
      for (const handler of [...(handlers.get(type) ?? [])]) {
        try {
          handler(event);
        } catch (error) {
          reportError(error);
        }
      }
    },
    clear: () => handlers.clear(),
  };
}
