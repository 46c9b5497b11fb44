import {
  FRAME_HELLO,
  FRAME_PROTOCOL_VERSION,
  type FrameConfig,
  type FrameInit,
  type FrameToHost,
  type HostToFrame,
} from '@florin/contract/protocol/frame.ts';

/** The page that mounted the form. Messages use only the port that the page transferred. */
export interface Host {
  /** Sends a message to the page; does nothing before the page has connected. */
  send(message: FrameToHost): void;
}

export interface HostOptions {
  readonly config: FrameConfig;
  /** Title of the form's frame. */
  readonly title: string;
  readonly onConnect: () => void;
  readonly onMessage: (message: HostToFrame) => void;
}

/** Sends a hello to the parent window, accepts the first valid port, and ignores all later ports. */
export function connectHost({ config, title, onConnect, onMessage }: HostOptions): Host {
  let port: MessagePort | undefined;
  const accept = (event: MessageEvent<FrameInit | undefined>): void => {
    const { source, origin, ports, data } = event;
    const [offered] = ports;
    if (source !== window.parent || !mayMount(config, origin)) return;
    if (data?.t !== 'init' || data.v !== FRAME_PROTOCOL_VERSION || !offered || ports.length > 1)
      return;
    window.removeEventListener('message', accept);
    port = offered;
    port.onmessage = ({ data: message }: MessageEvent<HostToFrame>) => {
      if (data.debug) console.debug('[florin form]', message.t);
      onMessage(message);
    };
    port.postMessage({ t: 'ready', title } satisfies FrameToHost);
    onConnect();
  };
  window.addEventListener('message', accept);
  // The target origin is open because the parent's origin is unknown here. The hello contains no data.
  window.parent.postMessage(FRAME_HELLO, '*');
  return { send: (message) => port?.postMessage(message) };
}

/**
 * Whether a page of this origin may mount the form. An empty list of origins allows any page, in sandbox mode only.
 */
export const mayMount = ({ origins, mode }: FrameConfig, origin: string): boolean =>
  origins.length === 0 ? mode === 'sandbox' : origins.includes(origin);
