import {
  FRAME_HELLO,
  FRAME_PROTOCOL_VERSION,
  type FrameInit,
  type FrameToHost,
  type HostToFrame,
} from '@florin/contract/protocol/frame.ts';

export interface FrameLinkOptions {
  readonly frame: HTMLIFrameElement;
  /** Origin of the form. Messages from other origins are ignored. */
  readonly origin: string;
  readonly debug: boolean;
  /** Called for each hello of the form. A reloaded form has lost all earlier questions. */
  readonly onConnect: () => void;
  readonly onMessage: (message: FrameToHost) => void;
  /** Called when the frame loads another document than the form, such as an error page. */
  readonly onMissing: () => void;
}

/** Time for the message's transit, in milliseconds: the form sends its hello while it loads. */
const HELLO_GRACE_MS = 2_000;

export interface FrameLink {
  readonly frame: HTMLIFrameElement;
  /** Sends a message over the port. Returns false before the form's hello. */
  send(message: HostToFrame): boolean;
  /** Removes the frame and its listeners. */
  close(): void;
}

/** Waits for the form's hello, transfers one port, and uses only that port. */
export function createFrameLink(options: FrameLinkOptions): FrameLink {
  const { frame, origin, debug, onConnect, onMessage, onMissing } = options;
  let port: MessagePort | undefined;

  const onHello = ({ source, origin: from, data }: MessageEvent): void => {
    const form = frame.contentWindow;
    if (!form || source !== form || from !== origin || data !== FRAME_HELLO) return;
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.onmessage = (event) => onMessage(event.data);
    const init: FrameInit = { t: 'init', v: FRAME_PROTOCOL_VERSION, debug };
    form.postMessage(init, origin, [channel.port2]);
    onConnect();
  };
  window.addEventListener('message', onHello);
  let helloTimer: ReturnType<typeof setTimeout> | undefined;
  frame.addEventListener('load', () => {
    clearTimeout(helloTimer);
    if (!port) helloTimer = setTimeout(() => port ?? onMissing(), HELLO_GRACE_MS);
  });

  return {
    frame,
    send(message) {
      port?.postMessage(message);
      return port !== undefined;
    },
    close() {
      window.removeEventListener('message', onHello);
      clearTimeout(helloTimer);
      port?.close();
      port = undefined;
      frame.remove();
    },
  };
}
