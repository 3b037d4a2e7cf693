const ADDRESS = /^[\d.]+$|:/;

/** Whether this browser can use passkeys on this page: they need https, or localhost, and a host name. */
export const hasPasskeys = (): boolean =>
  window.isSecureContext && "PublicKeyCredential" in window && !ADDRESS.test(window.location.hostname);
