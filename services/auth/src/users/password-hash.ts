import { hash, verify } from "@node-rs/argon2";
import { verify as verifyBcrypt } from "@node-rs/bcrypt";

/** argon2id with the strength OWASP names; the algorithm is the library's default. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The stored form of a password: a PHC string with salt and strength in it. */
export const hashPassword = (password: string): Promise<string> => hash(password, STRENGTH);

/** Passwords of installs that moved here came as bcrypt hashes, and stay so until they are changed. */
const BCRYPT = /^\$2[abxy]\$/;

/** Whether a password fits a stored form. */
export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  BCRYPT.test(passwordHash) ? verifyBcrypt(password, passwordHash) : verify(passwordHash, password);
