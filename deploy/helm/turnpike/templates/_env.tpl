{{/* Environment of one service; what is secret comes from the Secret. */}}
{{- define "turnpike.env" -}}
{{- $root := .root -}}
- { name: HOST, value: "0.0.0.0" }
- { name: GRPC_PORT, value: "7000" }
- { name: OPS_PORT, value: "9000" }
- { name: LOG_LEVEL, value: {{ $root.Values.logLevel | quote }} }
- { name: NAMESPACE, value: {{ $root.Values.namespacePrefix | quote }} }
- { name: SHUTDOWN_GRACE_SECONDS, value: {{ .s.graceSeconds | quote }} }
{{- range $peer := list "auth" "billing" "channel" "messaging" "relay" }}
- { name: {{ upper $peer }}_ADDRESS, value: "{{ include "turnpike.name" (list $root $peer) }}:7000" }
{{- end }}
- { name: RELAY_HTTP_ADDRESS, value: "{{ include "turnpike.name" (list $root "relay") }}:{{ $root.Values.services.relay.httpPort }}" }
{{- if eq .name "gateway" }}
- { name: PORT, value: {{ .s.httpPort | quote }} }
{{- end }}
{{- if eq .name "relay" }}
- { name: RELAY_PORT, value: {{ .s.httpPort | quote }} }
- { name: DATA_DIR, value: /data }
{{- end }}
{{- if and (eq .name "auth") $root.Values.root.username }}
- { name: ROOT_USERNAME, value: {{ $root.Values.root.username | quote }} }
- name: ROOT_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ include "turnpike.fullname" $root }}-root, key: password } }
{{- end }}
{{- with $root.Values.trustedProxies }}
- { name: TRUSTED_PROXIES, value: {{ . | quote }} }
{{- end }}
{{- with $root.Values.otlpEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
- { name: OTEL_SERVICE_NAME, value: "turnpike-{{ $.name }}" }
{{- end }}
{{- range $variable, $value := .s.env }}
- { name: {{ $variable }}, value: {{ $value | quote }} }
{{- end }}
{{- end -}}
