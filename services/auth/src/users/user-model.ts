import { ROLE } from "@turnpike/contract/codes";
import { type Connection, type Model, Schema } from "mongoose";

/** A user as stored. Quota figures are stored by billing. */
export type UserDoc = {
  _id: number;
  username: string;
  /** The name's comparison form; stays after deregistration, so that the name remains reserved. */
  usernameLower: string;
  displayName: string;
  /** Empty for users who registered through a third party and have set no password. */
  passwordHash: string;
  /** True while the password was set by an administrator. */
  mustChangePassword: boolean;
  role: number;
  status: number;
  group: string;
  email: string;
  emailLower: string;
  githubId: string;
  oidcId: string;
  wechatId: string;
  telegramId: string;
  linuxDoId: string;
  affCode: string;
  inviterId: number;
  /** How many users this user invited; earnings not yet moved to the balance; total earnings. Quota units. */
  affCount: number;
  affQuota: number;
  affHistoryQuota: number;
  settingJson: string;
  /** A note of administrators about the user, which the user never sees. */
  adminNote?: string;
  /** Signs webhook calls; encrypted. */
  webhookSecretBox: string;
  /** Sessions opened under a lower number have ended: it increases with password, role and status changes. */
  sessionEpoch: number;
  /** The hash of the one session that survived the last change. */
  survivingSessionHash: string;
  /** HMAC of the system access token, absent while there is none. */
  accessTokenHash?: string;
  createdAtSeconds: number;
  /** 0 while registered. */
  deletedAtSeconds: number;
};

const text = { type: String, default: "" } as const;
const schema = new Schema<UserDoc>(
  {
    _id: { type: Number, required: true },
    username: { type: String, required: true },
    usernameLower: { type: String, required: true },
    displayName: { type: String, required: true },
    passwordHash: text,
    mustChangePassword: { type: Boolean, default: false },
    role: { type: Number, required: true },
    status: { type: Number, required: true },
    group: { type: String, required: true },
    email: text,
    emailLower: text,
    githubId: text,
    oidcId: text,
    wechatId: text,
    telegramId: text,
    linuxDoId: text,
    affCode: { type: String, required: true },
    inviterId: { type: Number, default: 0 },
    affCount: { type: Number, default: 0 },
    affQuota: { type: Number, default: 0 },
    affHistoryQuota: { type: Number, default: 0 },
    settingJson: { type: String, default: "{}" },
    adminNote: String,
    webhookSecretBox: text,
    sessionEpoch: { type: Number, default: 1 },
    survivingSessionHash: text,
    accessTokenHash: String,
    createdAtSeconds: { type: Number, required: true },
    deletedAtSeconds: { type: Number, default: 0 },
  },
  { collection: "users", strict: "throw", autoIndex: false, versionKey: false },
);

schema.index({ usernameLower: 1 }, { unique: true, name: "find_by_username" });
schema.index(
  { emailLower: 1 },
  { unique: true, name: "find_by_email", partialFilterExpression: { emailLower: { $gt: "" } } },
);
for (const [field, name] of [
  ["githubId", "find_by_github"],
  ["oidcId", "find_by_oidc"],
  ["linuxDoId", "find_by_linux_do"],
  ["wechatId", "find_by_wechat"],
  ["telegramId", "find_by_telegram"],
] as const)
  schema.index({ [field]: 1 }, { unique: true, name, partialFilterExpression: { [field]: { $gt: "" } } });
schema.index({ affCode: 1 }, { unique: true, name: "find_by_invitation_code" });
schema.index(
  { accessTokenHash: 1 },
  { unique: true, name: "find_by_access_token", partialFilterExpression: { accessTokenHash: { $exists: true } } },
);
schema.index({ role: 1 }, { unique: true, name: "one_root", partialFilterExpression: { role: ROLE.root } });
schema.index({ group: 1, _id: -1 }, { name: "list_group_newest_first" });

export type UserModel = Model<UserDoc>;

/** The collection of users. */
export const userModel = (mongo: Connection): UserModel => mongo.model<UserDoc>("User", schema);
