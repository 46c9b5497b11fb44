import {
  FRAME_HELLO,
  FRAME_PROTOCOL_VERSION,
  type FrameConfig,
  type FrameInit,
  type FrameToHost,
  type HostToFrame,
} from '@florin/contract/protocol/frame.ts';

/** The page that mounted the form, reached over the one port that it transferred. */
export interface Host {
  /** Does nothing before the page has connected. */
  send(message: FrameToHost): void;
}

export interface HostOptions {
  readonly config: FrameConfig;
  /** Title of the frame in the page. */
  readonly title: string;
  readonly onConnect: () => void;
  readonly onMessage: (message: HostToFrame) => void;
}

/** Sends a hello to the parent, accepts the first valid port, and ignores all later ones. */
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
  // The parent's origin is unknown at this point; the hello contains no data.
  window.parent.postMessage(FRAME_HELLO, '*');
  return { send: (message) => port?.postMessage(message) };
}

/** Whether a page of this origin may mount the form. Only sandbox merchants may leave their origins open. */
export const mayMount = ({ origins, mode }: FrameConfig, origin: string): boolean =>
  origins.length === 0 ? mode === 'sandbox' : origins.includes(origin);
