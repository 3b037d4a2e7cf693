/** Whether this browser can use passkeys on this page: they need https, or localhost. */
export const hasPasskeys = (): boolean => window.isSecureContext && "PublicKeyCredential" in window;
