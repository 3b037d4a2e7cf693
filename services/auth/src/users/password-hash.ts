import { hash, verify } from "@node-rs/argon2";
import { verify as verifyBcrypt } from "@node-rs/bcrypt";

/** argon2id with OWASP's recommended strength; the algorithm is the library's default. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes a password to a PHC string that includes salt and strength. */
export const hashPassword = (password: string): Promise<string> => hash(password, STRENGTH);

/** Migrated installs have bcrypt hashes, which stay until the password is changed. */
const BCRYPT = /^\$2[abxy]\$/;

/** Whether a password matches a stored hash. */
export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  BCRYPT.test(passwordHash) ? verifyBcrypt(password, passwordHash) : verify(passwordHash, password);
