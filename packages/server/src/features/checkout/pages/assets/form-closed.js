/** Script of the frame without a card form. Logs the reason and responds to the SDK like a form. */
{
  const { hello, code, message } = document.currentScript.dataset;
  const detail = { code, message };
  const answers = {
    verify: ({ id }) => ({ t: 'result', id, name: 'payment_method_error', detail }),
    listen: () => ({ t: 'event', name: 'payment_failed', detail }),
  };

  function connect({ source, data, ports: [port] }) {
    if (source !== window.parent || data?.t !== 'init' || !port) return;
    window.removeEventListener('message', connect);
    port.onmessage = ({ data: asked }) => {
      const answer = answers[asked.t]?.(asked);
      if (answer) port.postMessage(answer);
    };
    port.postMessage({ t: 'ready', title: document.title });
    port.postMessage({ t: 'size', height: document.documentElement.offsetHeight });
    port.postMessage({ t: 'event', name: 'payment_method_error', detail });
  }

  console.error(`Florin: ${code}. ${message}`);
  window.addEventListener('message', connect);
  window.parent.postMessage(hello, '*');
}
