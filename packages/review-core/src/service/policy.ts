import type { Policy } from './deps.ts';
import type { ReviewPolicy } from './types.ts';

/** Names of files that hold secrets, and the folders of git and of keys. Matched case-folded, per component. */
const SENSITIVE_NAMES: readonly RegExp[] = [
  /^\.env(\..+)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(\..+)?$/,
  /^\.(netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg)$/,
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini|txt))?$/,
  /^service-?account.*\.json$/,
];
const SENSITIVE_FOLDERS: ReadonlySet<string> = new Set(['.git', '.ssh', '.gnupg', '.aws', '.kube']);
/** Templates that are made to be shared. */
const SHARED = /^\.env\.(example|sample|template|dist)$/;

/**
 * The default of `ReviewPolicy.sensitive`: whether a path looks like one that holds secrets.
 *
 * @param path relative, with `/` between segments
 * @since 0.1.0
 */
export function isSensitivePath(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  if (parts.some((part) => SENSITIVE_FOLDERS.has(part))) return true;
  return !SHARED.test(name) && SENSITIVE_NAMES.some((pattern) => pattern.test(name));
}

/** The host's policy with its defaults, closed: a callback that throws or answers nothing refuses. */
export function closedPolicy(policy: ReviewPolicy): Policy {
  const sensitive = policy.sensitive ?? isSensitivePath;
  const warn = (message: string, error: unknown): void => policy.onWarning?.(message, error);
  return {
    onCaptureFailure: policy.onCaptureFailure ?? 'block',
    warn,
    async isSensitive(path) {
      try {
        return (await sensitive(path)) !== false;
      } catch (error) {
        warn(`The check for sensitive paths failed for '${path}'; it is taken for sensitive.`, error);
        return true;
      }
    },
    async mayWrite(sessionId, path, change) {
      if (policy.authorizeWrite === undefined) return true;
      try {
        const action = change === null ? 'capture' : 'rollback';
        return (await policy.authorizeWrite({ sessionId, path, change, action })) === true;
      } catch (error) {
        warn(`The check whether '${path}' may be written failed; the write is refused.`, error);
        return false;
      }
    },
  };
}
