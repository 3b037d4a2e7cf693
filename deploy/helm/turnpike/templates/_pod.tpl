{{/* Settings of one service, as JSON: the defaults, overridden by its own block: (list $ "relay") */}}
{{- define "turnpike.settings" -}}
{{- $root := index . 0 -}}
{{- mergeOverwrite (deepCopy $root.Values.serviceDefaults) (deepCopy (index $root.Values.services (index . 1) | default dict)) | toJson -}}
{{- end -}}

{{- define "turnpike.version" -}}{{ default .Chart.AppVersion .Values.image.tag }}{{- end -}}
{{- define "turnpike.image" -}}{{ (index . 0).Values.image.prefix }}/{{ index . 1 }}:{{ include "turnpike.version" (index . 0) }}{{- end -}}

{{/* The pod's user, as PodSecurity "restricted" requires */}}
{{- define "turnpike.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "turnpike.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Fields that all pods of the chart share */}}
{{- define "turnpike.podBase" -}}
serviceAccountName: {{ include "turnpike.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Mounts of the Secrets that hold certificates and NATS credentials: the same in every container of a service */}}
{{- define "turnpike.secretMounts" -}}
{{- if .Values.grpcTls.existingSecret }}
- { name: tls, mountPath: /tls, readOnly: true }
{{- end }}
{{- if .Values.nats.existingSecret }}
- { name: nats, mountPath: /nats, readOnly: true }
{{- end }}
{{- include "turnpike.backingTlsMount" . }}
{{- end -}}

{{- define "turnpike.secretVolumes" -}}
{{- with .Values.grpcTls.existingSecret }}
- name: tls
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- with .Values.nats.existingSecret }}
- name: nats
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- include "turnpike.backingTlsVolume" . }}
{{- end -}}

{{/* The private CA of the backing services; the backup has no other Secret mounted */}}
{{- define "turnpike.backingTlsMount" -}}
{{- if .Values.backingTls.existingSecret }}
- { name: backing-tls, mountPath: /backing-tls, readOnly: true }
{{- end }}
{{- end -}}

{{- define "turnpike.backingTlsVolume" -}}
{{- with .Values.backingTls.existingSecret }}
- name: backing-tls
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- end -}}

{{- define "turnpike.backingTlsEnv" -}}
{{- if .Values.backingTls.existingSecret }}
- { name: NODE_EXTRA_CA_CERTS, value: "/backing-tls/{{ .Values.backingTls.caKey }}" }
{{- end }}
{{- end -}}
